//! The little of protobuf's wire format that sentencepiece models need.

/// A field of a message.
#[derive(Debug, PartialEq)]
pub(super) enum Field<'a> {
    Number(u64),
    Float(f32),
    Bytes(&'a [u8]),
}

/// The fields of a message, with their numbers; `None` where the bytes are no message.
pub(super) fn fields(mut bytes: &[u8]) -> Option<Vec<(u64, Field<'_>)>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes)?;
        let field = match key & 7 {
            0 => Field::Number(varint(&mut bytes)?),
            1 => {
                // Doubles and fixed 64-bit numbers occur in no field that is read.
                let (number, rest) = bytes.split_first_chunk::<8>()?;
                bytes = rest;
                Field::Number(u64::from_le_bytes(*number))
            }
            2 => {
                let length = usize::try_from(varint(&mut bytes)?).ok()?;
                let (content, rest) = bytes.split_at_checked(length)?;
                bytes = rest;
                Field::Bytes(content)
            }
            5 => {
                let (number, rest) = bytes.split_first_chunk::<4>()?;
                bytes = rest;
                Field::Float(f32::from_le_bytes(*number))
            }
            _ => return None,
        };
        fields.push((key >> 3, field));
    }
    Some(fields)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read() {
        let bytes = [0x08, 0xac, 0x02, 0x12, 0x02, b'h', b'i', 0x1d, 0, 0, 0x80, 0xbf];
        let read = fields(&bytes).unwrap();
        assert_eq!(read, [(1, Field::Number(300)), (2, Field::Bytes(b"hi")), (3, Field::Float(-1.0))]);
    }

    #[test]
    fn broken_messages_are_none() {
        let bytes = [0x08, 0xac, 0x02, 0x12, 0x02, b'h', b'i', 0x1d, 0, 0, 0x80, 0xbf];
        for length in [1, 2, 4, 5, 6, 8, 11] {
            assert_eq!(fields(&bytes[..length]), None, "cut at {length}");
        }
        assert_eq!(fields(&[0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), None);
        assert_eq!(fields(&[0x0b]), None);
    }
}
