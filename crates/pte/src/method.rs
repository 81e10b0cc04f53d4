//! One entry point of a program: its values, its instructions and what they call.

use std::fmt;

use planus::Vector;

use crate::error::{At, Error, Result, index};
use crate::generated::program as raw;
use crate::list::{Ids, List};
use crate::program::{Blob, Program, method_place};
use crate::value::Value;

type Tables<'a, T> = Vector<'a, planus::Result<T>>;

/// One entry point of a program.
#[derive(Clone, Copy)]
pub struct Method<'a> {
    program: Program<'a>,
    plan: raw::ExecutionPlanRef<'a>,
    name: &'a str,
    values: Tables<'a, raw::EValueRef<'a>>,
    chains: Tables<'a, raw::ChainRef<'a>>,
    operators: Tables<'a, raw::OperatorRef<'a>>,
    delegates: Tables<'a, raw::BackendDelegateRef<'a>>,
    arenas: Vector<'a, i64>,
}

impl<'a> Method<'a> {
    pub(crate) fn new(
        program: Program<'a>,
        index: usize,
        plan: planus::Result<raw::ExecutionPlanRef<'a>>,
    ) -> Result<Method<'a>> {
        let at = || format!("method {index}");
        let plan = plan.at(at)?;
        let name = plan.name().at(at)?.ok_or_else(|| Error::Missing { at: at(), what: "its name" })?;
        let at = || method_place(name);
        Ok(Method {
            program,
            plan,
            name,
            values: plan.values().at(at)?.unwrap_or_else(Vector::new_empty),
            chains: plan.chains().at(at)?.unwrap_or_else(Vector::new_empty),
            operators: plan.operators().at(at)?.unwrap_or_else(Vector::new_empty),
            delegates: plan.delegates().at(at)?.unwrap_or_else(Vector::new_empty),
            arenas: plan.non_const_buffer_sizes().at(at)?.unwrap_or_else(Vector::new_empty),
        })
    }

    /// The method's name: `forward`.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The program that the method belongs to.
    pub fn program(&self) -> Program<'a> {
        self.program
    }

    /// How many values there are.
    pub fn values(&self) -> usize {
        self.values.len()
    }

    /// The value with this id.
    pub fn value(&self, id: u32) -> Result<Value<'a>> {
        let Some(value) = usize::try_from(id).ok().and_then(|id| self.values.get(id)) else {
            let (index, count) = (i64::from(id), self.values.len() as u64);
            return Err(Error::Index { at: method_place(self.name), what: "value", index, count });
        };
        let value = value.at(|| self.at(format_args!("value {id}")))?;
        Value::new(value, id, self.name, self.values.len(), self.arenas)
    }

    /// The values that a caller gives, in order.
    pub fn inputs(&self) -> Result<Ids<'a>> {
        let at = || self.at(format_args!("inputs"));
        Ids::check(self.plan.inputs().at(at)?, self.values.len(), at)
    }

    /// The values that a caller gets, in order.
    pub fn outputs(&self) -> Result<Ids<'a>> {
        let at = || self.at(format_args!("outputs"));
        Ids::check(self.plan.outputs().at(at)?, self.values.len(), at)
    }

    /// How the exporter described the structure of inputs and outputs, where it did.
    pub fn containers(&self) -> Result<Option<(&'a str, &'a str)>> {
        let at = || self.at(format_args!("container metadata"));
        let Some(meta) = self.plan.container_meta_type().at(at)? else { return Ok(None) };
        let inputs = meta.encoded_inp_str().at(at)?.unwrap_or_default();
        Ok(Some((inputs, meta.encoded_out_str().at(at)?.unwrap_or_default())))
    }

    /// The chains of instructions. Exporters write one; a method with several does not say how they interleave.
    pub fn chains(&self) -> impl ExactSizeIterator<Item = Result<Chain<'a>>> + use<'a> {
        let method = *self;
        self.chains.iter().enumerate().map(move |(index, chain)| {
            let at = || method.at(format_args!("chain {index}"));
            let chain = chain.at(at)?;
            let instructions = chain.instructions().at(at)?.unwrap_or_else(Vector::new_empty);
            Ok(Chain { method, index, chain, instructions })
        })
    }

    /// How many operators the method's kernel calls choose from.
    pub fn operators(&self) -> usize {
        self.operators.len()
    }

    /// The operator that a kernel call names.
    pub fn operator(&self, index: u32) -> Result<Operator<'a>> {
        let at = || self.at(format_args!("operator {index}"));
        let Some(operator) = usize::try_from(index).ok().and_then(|index| self.operators.get(index)) else {
            let (index, count) = (i64::from(index), self.operators.len() as u64);
            return Err(Error::Index { at: method_place(self.name), what: "operator", index, count });
        };
        let operator = operator.at(at)?;
        let name = operator.name().at(at)?.ok_or_else(|| Error::Missing { at: at(), what: "its name" })?;
        Ok(Operator { name, overload: operator.overload().at(at)?.unwrap_or_default() })
    }

    /// How many delegates the method has.
    pub fn delegates(&self) -> usize {
        self.delegates.len()
    }

    /// The delegate that a delegate call names.
    pub fn delegate(&self, index: u32) -> Result<DelegateRef<'a>> {
        let at = || self.at(format_args!("delegate {index}"));
        let Some(delegate) = usize::try_from(index).ok().and_then(|index| self.delegates.get(index)) else {
            let (index, count) = (i64::from(index), self.delegates.len() as u64);
            return Err(Error::Index { at: method_place(self.name), what: "delegate", index, count });
        };
        let delegate = delegate.at(at)?;
        let id = delegate.id().at(at)?.ok_or_else(|| Error::Missing { at: at(), what: "its id" })?;
        let processed =
            delegate.processed().at(at)?.ok_or_else(|| Error::Missing { at: at(), what: "where its data is" })?;
        let place = processed.index().at(at)?;
        let data = match processed.location().at(at)? {
            0 => Blob::Inline(self.program.inline_data(place, &at)?),
            1 => Blob::File(self.program.segment(place)?),
            code => return Err(Error::Code { at: at(), what: "data location", code: i64::from(code) }),
        };
        let compile_specs = delegate.compile_specs().at(at)?.unwrap_or_else(Vector::new_empty);
        Ok(DelegateRef { id, data, compile_specs, method: self.name, index })
    }

    /// Bytes of each arena that the exporter planned; number 0 is a placeholder.
    pub fn arena_sizes(&self) -> List<'a, i64> {
        List::new(Some(self.arenas))
    }

    fn at(&self, what: fmt::Arguments<'_>) -> String {
        format!("{}, {what}", method_place(self.name))
    }
}

impl fmt::Debug for Method<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Method")
            .field("name", &self.name)
            .field("values", &self.values.len())
            .field("chains", &self.chains.len())
            .field("operators", &self.operators.len())
            .field("delegates", &self.delegates.len())
            .finish_non_exhaustive()
    }
}

/// Instructions that run one after another.
#[derive(Clone, Copy)]
pub struct Chain<'a> {
    method: Method<'a>,
    index: usize,
    chain: raw::ChainRef<'a>,
    instructions: Tables<'a, raw::InstructionRef<'a>>,
}

impl<'a> Chain<'a> {
    /// The values that the chain reads, where the exporter says them.
    pub fn inputs(&self) -> Result<Ids<'a>> {
        let at = || self.method.at(format_args!("inputs of chain {}", self.index));
        Ids::check(self.chain.inputs().at(at)?, self.method.values(), at)
    }

    /// The values that the chain writes, where the exporter says them.
    pub fn outputs(&self) -> Result<Ids<'a>> {
        let at = || self.method.at(format_args!("outputs of chain {}", self.index));
        Ids::check(self.chain.outputs().at(at)?, self.method.values(), at)
    }

    /// The instructions, each with its indices checked.
    pub fn instructions(&self) -> impl ExactSizeIterator<Item = Result<Instruction<'a>>> + use<'a> {
        let chain = *self;
        self.instructions.iter().enumerate().map(move |(index, instruction)| chain.instruction(index, instruction))
    }

    fn instruction(
        &self,
        number: usize,
        instruction: planus::Result<raw::InstructionRef<'a>>,
    ) -> Result<Instruction<'a>> {
        let method = &self.method;
        let at = || method.at(format_args!("instruction {number} of chain {}", self.index));
        let value = |id: i32| index(i64::from(id), method.values(), "value", at);
        let arguments = match instruction.and_then(|instruction| instruction.instr_args()) {
            Err(planus::Error { error_kind: planus::errors::ErrorKind::UnknownUnionTag { tag }, .. }) => {
                return Err(Error::Code { at: at(), what: "instruction kind", code: i64::from(tag) });
            }
            other => other.at(at)?.ok_or_else(|| Error::Missing { at: at(), what: "its arguments" })?,
        };
        Ok(match arguments {
            raw::InstructionArgumentsRef::KernelCall(call) => Instruction::KernelCall {
                op: index(i64::from(call.op_index().at(at)?), method.operators.len(), "operator", at)?,
                args: Ids::check(call.args().at(at)?, method.values(), at)?,
            },
            raw::InstructionArgumentsRef::DelegateCall(call) => Instruction::DelegateCall {
                delegate: index(i64::from(call.delegate_index().at(at)?), method.delegates.len(), "delegate", at)?,
                args: Ids::check(call.args().at(at)?, method.values(), at)?,
            },
            raw::InstructionArgumentsRef::MoveCall(call) => {
                Instruction::MoveCall { from: value(call.move_from().at(at)?)?, to: value(call.move_to().at(at)?)? }
            }
            raw::InstructionArgumentsRef::JumpFalseCall(call) => Instruction::JumpFalseCall {
                cond: value(call.cond_value_index().at(at)?)?,
                destination: index(
                    i64::from(call.destination_instruction().at(at)?),
                    // One past the last instruction ends the chain.
                    self.instructions.len().saturating_add(1),
                    "jump destination",
                    at,
                )?,
            },
            raw::InstructionArgumentsRef::FreeCall(call) => {
                Instruction::FreeCall { value: value(call.value_index().at(at)?)? }
            }
        })
    }
}

impl fmt::Debug for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain")
            .field("method", &self.method.name)
            .field("index", &self.index)
            .field("instructions", &self.instructions.len())
            .finish_non_exhaustive()
    }
}

/// One step of a chain. Every index in it is in range.
#[derive(Clone, Copy, Debug)]
pub enum Instruction<'a> {
    /// Runs an operator outside any delegate.
    KernelCall {
        /// Which of [`Method::operator`].
        op: u32,
        /// Its arguments and then its outputs.
        args: Ids<'a>,
    },
    /// Runs a delegate.
    DelegateCall {
        /// Which of [`Method::delegate`].
        delegate: u32,
        /// The delegate's inputs and then its outputs.
        args: Ids<'a>,
    },
    /// Makes one value be another.
    MoveCall {
        /// The value that is read.
        from: u32,
        /// The value that is replaced.
        to: u32,
    },
    /// Goes on elsewhere if a value is false.
    JumpFalseCall {
        /// The value that decides.
        cond: u32,
        /// The instruction to go on with; one past the last ends the chain.
        destination: u32,
    },
    /// Says that a value's data is not needed any more.
    FreeCall {
        /// The value.
        value: u32,
    },
}

/// An operator outside any delegate, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operator<'a> {
    /// Namespace and name: `aten::add`.
    pub name: &'a str,
    /// The overload: `out`; empty for the default one.
    pub overload: &'a str,
}

impl fmt::Display for Operator<'_> {
    /// `aten::add.out`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        if self.overload.is_empty() { Ok(()) } else { write!(f, ".{}", self.overload) }
    }
}

/// A delegate of a method: which backend it is for, and where its data is.
#[derive(Clone)]
#[non_exhaustive]
pub struct DelegateRef<'a> {
    /// The backend: `VulkanBackend`.
    pub id: &'a str,
    /// Where its data is.
    pub data: Blob<'a>,
    compile_specs: Tables<'a, raw::CompileSpecRef<'a>>,
    method: &'a str,
    index: u32,
}

impl<'a> DelegateRef<'a> {
    /// The options that the delegate was exported with: name and bytes.
    pub fn compile_specs(&self) -> impl ExactSizeIterator<Item = Result<(&'a str, &'a [u8])>> + use<'a> {
        let (method, index) = (self.method, self.index);
        self.compile_specs.iter().enumerate().map(move |(number, spec)| {
            let at = || format!("{}, compile spec {number} of delegate {index}", method_place(method));
            let spec = spec.at(at)?;
            let key = spec.key().at(at)?.ok_or_else(|| Error::Missing { at: at(), what: "its key" })?;
            Ok((key, spec.value().at(at)?.unwrap_or_default()))
        })
    }
}

impl fmt::Debug for DelegateRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DelegateRef")
            .field("id", &self.id)
            .field("bytes", &self.data.len())
            .field("compile_specs", &self.compile_specs.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use raw::InstructionArguments as Arguments;

    fn with_plan<T>(change: impl FnOnce(&mut raw::ExecutionPlan), check: impl FnOnce(Method<'_>) -> T) -> T {
        let (mut program, segments) = samples::segment_program();
        change(&mut program.execution_plan.as_mut().unwrap()[0]);
        let file = samples::with_header(&program, &segments);
        check(Program::parse(&file, file.len() as u64).unwrap().method("forward").unwrap().unwrap())
    }

    #[test]
    fn instructions_come_as_written() {
        with_plan(
            |_| {},
            |method| {
                let chains: Vec<_> = method.chains().map(Result::unwrap).collect();
                let shown: Vec<_> = chains[0].instructions().map(|step| format!("{:?}", step.unwrap())).collect();
                assert_eq!(
                    shown,
                    [
                        "DelegateCall { delegate: 0, args: [0, 1] }",
                        "KernelCall { op: 0, args: [0, 1, 5, 1] }",
                        "MoveCall { from: 0, to: 1 }",
                        "JumpFalseCall { cond: 7, destination: 5 }",
                        "FreeCall { value: 2 }",
                    ]
                );
                assert_eq!(method.operator(0).unwrap().to_string(), "aten::add.out");
                assert_eq!(method.arena_sizes().iter().collect::<Vec<_>>(), [0, 64]);
                assert_eq!(method.containers().unwrap().unwrap().0, "T1#1(1)");
            },
        );
    }

    #[test]
    fn indices_out_of_range_are_errors_that_name_them() {
        let cases: [(Arguments, &str); 9] = [
            (Arguments::KernelCall(Box::new(raw::KernelCall { op_index: 1, args: None })), "operator 1"),
            (Arguments::KernelCall(Box::new(raw::KernelCall { op_index: -1, args: None })), "operator -1"),
            (Arguments::KernelCall(Box::new(raw::KernelCall { op_index: 0, args: Some(vec![0, 16]) })), "value 16"),
            (Arguments::DelegateCall(Box::new(raw::DelegateCall { delegate_index: 1, args: None })), "delegate 1"),
            (
                Arguments::DelegateCall(Box::new(raw::DelegateCall { delegate_index: 0, args: Some(vec![-1]) })),
                "value -1",
            ),
            (Arguments::MoveCall(Box::new(raw::MoveCall { move_from: i32::MIN, move_to: 0 })), "value -2147483648"),
            (Arguments::MoveCall(Box::new(raw::MoveCall { move_from: 0, move_to: i32::MAX })), "value 2147483647"),
            (
                Arguments::JumpFalseCall(Box::new(raw::JumpFalseCall {
                    cond_value_index: 0,
                    destination_instruction: 2,
                })),
                "jump destination 2",
            ),
            (Arguments::FreeCall(Box::new(raw::FreeCall { value_index: 99 })), "value 99"),
        ];
        for (arguments, expected) in cases {
            with_plan(
                |plan| {
                    plan.chains.as_mut().unwrap()[0].instructions = Some(vec![samples::instruction(arguments)]);
                },
                |method| {
                    let chain = method.chains().next().unwrap().unwrap();
                    let error = chain.instructions().next().unwrap().unwrap_err();
                    assert!(matches!(error, Error::Index { .. }), "{error}");
                    let text = error.to_string();
                    assert!(text.contains(expected) && text.contains("`forward`, instruction 0 of chain 0"), "{text}");
                },
            );
        }
    }

    #[test]
    fn inputs_and_outputs_are_checked() {
        with_plan(
            |plan| {
                plan.inputs = Some(vec![0, 16]);
                plan.outputs = Some(vec![-1]);
            },
            |method| {
                assert_eq!(
                    method.inputs().unwrap_err().to_string(),
                    "method `forward`, inputs, item 1: value 16 is out of range, there are 16"
                );
                assert!(method.outputs().is_err());
                assert!(matches!(method.value(16), Err(Error::Index { .. })));
                assert!(matches!(method.operator(1), Err(Error::Index { .. })));
                assert!(matches!(method.delegate(1), Err(Error::Index { .. })));
            },
        );
    }

    #[test]
    fn an_instruction_without_arguments_is_an_error() {
        with_plan(
            |plan| {
                plan.chains.as_mut().unwrap()[0].instructions = Some(vec![raw::Instruction { instr_args: None }]);
            },
            |method| {
                let chain = method.chains().next().unwrap().unwrap();
                assert!(matches!(chain.instructions().next().unwrap(), Err(Error::Missing { .. })));
            },
        );
    }

    #[test]
    fn delegate_data_is_inline_or_a_segment() {
        with_plan(
            |_| {},
            |method| {
                let delegate = method.delegate(0).unwrap();
                assert_eq!(delegate.id, "VulkanBackend");
                assert!(matches!(delegate.data, Blob::File(_)));
                let specs: Vec<_> = delegate.compile_specs().map(Result::unwrap).collect();
                assert_eq!(specs, [("force_fp16", [0].as_slice())]);
            },
        );
        let file = samples::finish(&samples::inline_program(), b"ET12");
        let program = Program::parse(&file, file.len() as u64).unwrap();
        let delegate = program.method("forward").unwrap().unwrap().delegate(0).unwrap();
        assert!(matches!(delegate.data, Blob::Inline(data) if crate::delegate::Delegate::is(data)));
    }

    #[test]
    fn delegate_data_elsewhere_is_an_error() {
        let reference = |location, index| Some(Box::new(raw::DataReference { location, index }));
        for (processed, kind) in [
            (reference(0, 0), crate::ErrorKind::Corrupt),
            (reference(1, 4), crate::ErrorKind::Corrupt),
            (reference(2, 0), crate::ErrorKind::Unsupported),
            (None, crate::ErrorKind::Corrupt),
        ] {
            with_plan(
                |plan| plan.delegates.as_mut().unwrap()[0].processed = processed,
                |method| assert_eq!(method.delegate(0).unwrap_err().kind(), kind),
            );
        }
    }
}
