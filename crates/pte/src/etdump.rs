//! ETDumps: what a runtime recorded of its calls, as ExecuTorch's Inspector reads it.

use crate::generated::etdump as raw;

/// The version of the schema.
const VERSION: u32 = 0;

/// What was recorded.
#[derive(Clone, Debug, Default)]
pub struct EtDump {
    /// Runs, which are calls or loads. Those of one name are taken as repetitions of each other.
    pub runs: Vec<Run>,
}

/// One call, or one load.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Its name.
    pub name: String,
    /// What happened, in order.
    pub events: Vec<Event>,
}

/// Something that took time. Times count nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// What it is, where the runtime itself did it.
    pub name: Option<String>,
    /// What it is, where a delegate did it.
    pub delegate_id: Option<String>,
    /// The instruction of the program that it belongs to.
    pub instruction: Option<u32>,
    /// When it began.
    pub start: u64,
    /// When it ended.
    pub end: u64,
    /// What else a delegate says of it.
    pub metadata: Vec<u8>,
}

impl EtDump {
    /// The file: a flatbuffer after its length.
    pub fn to_bytes(&self) -> Vec<u8> {
        let runs = self.runs.iter().map(Run::table).collect();
        let root = raw::EtDump { version: VERSION, run_data: Some(runs) };
        let mut builder = planus::Builder::new();
        let written = builder.finish(&root, Some(*b"ED00"));
        // It puts the identifier before the root's offset, and everyone else after it.
        let (front, rest) = written.split_at_checked(8).unwrap_or((written, &[][..]));
        let offset = front.get(4..8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
        let length = u32::try_from(written.len()).unwrap_or(u32::MAX);
        [&length.to_le_bytes()[..], &offset.saturating_add(4).to_le_bytes(), b"ED00", rest].concat()
    }
}

impl Run {
    fn table(&self) -> raw::RunData {
        raw::RunData {
            name: Some(self.name.clone()),
            bundled_input_index: -1,
            allocators: None,
            events: Some(self.events.iter().map(Event::table).collect()),
        }
    }
}

impl Event {
    fn table(&self) -> raw::Event {
        let profile = raw::ProfileEvent {
            name: self.name.clone(),
            chain_index: 0,
            instruction_id: self.instruction.and_then(|id| i32::try_from(id).ok()).unwrap_or(-1),
            delegate_debug_id_int: -1,
            delegate_debug_id_str: self.delegate_id.clone(),
            delegate_debug_metadata: (!self.metadata.is_empty()).then(|| self.metadata.clone()),
            start_time: self.start,
            end_time: self.end,
        };
        raw::Event { profile_event: Some(Box::new(profile)), allocation_event: None }
    }
}

#[cfg(test)]
mod tests {
    use planus::ReadAsRoot as _;

    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let event = Event {
            delegate_id: Some("{add, \"dispatch_id\": 0}".to_owned()),
            instruction: Some(3),
            start: 5,
            end: 1 << 40,
            ..Event::default()
        };
        let load = Event { name: Some("Program::load_method".to_owned()), ..Event::default() };
        let runs = [("load", load), ("forward", event)];
        let runs = runs.map(|(name, event)| Run { name: name.to_owned(), events: vec![event] });
        let bytes = EtDump { runs: runs.to_vec() }.to_bytes();
        assert_eq!(bytes.len(), 4 + u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize);
        assert_eq!(&bytes[8..12], b"ED00");
        let dump = raw::EtDumpRef::read_as_root(&bytes[4..]).unwrap();
        let runs = dump.run_data().unwrap().unwrap();
        assert_eq!(runs.len(), 2);
        let run = runs.get(1).unwrap().unwrap();
        assert_eq!(run.name().unwrap(), Some("forward"));
        let event = run.events().unwrap().unwrap().get(0).unwrap().unwrap().profile_event().unwrap().unwrap();
        assert_eq!(event.delegate_debug_id_str().unwrap(), Some("{add, \"dispatch_id\": 0}"));
        assert_eq!((event.instruction_id().unwrap(), event.end_time().unwrap()), (3, 1 << 40));
    }
}
