//! The inputs of a method: from files, from the command line, or made up.

use std::path::Path;

use anyhow::Result;
use pteron_runtime::{DType, HostTensor, Limits, Method, Shape, Spec, Value};

use crate::args::{InputArg, InputArgs, ShapeArg};
use crate::failure::Usage;
use crate::tensors;

/// Integers that are no indices lie below this.
const INTEGERS: u64 = 16;

/// Inputs as far as they are known.
#[derive(Debug)]
pub(crate) struct Inputs {
    specs: Vec<Spec>,
    limits: Vec<Option<u64>>,
    /// The value of each input that a file or the command line gives.
    given: Vec<Option<Value>>,
    /// What the program was exported with for each input that is no tensor.
    exported: Vec<Option<Value>>,
    /// The shape of each input that is to be made up.
    shapes: Vec<Option<Shape>>,
    allowed: Limits,
}

impl Inputs {
    /// Reads what the command line gives.
    pub(crate) fn read(method: &Method, arguments: &[InputArg]) -> Result<Inputs> {
        let specs = method.inputs();
        let count = specs.len();
        let (limits, allowed) = (method.index_limits(), *method.limits());
        let (given, shapes, exported) = (vec![None; count], vec![None; count], method.exported_values());
        let mut inputs = Inputs { specs, limits, given, exported, shapes, allowed };
        for argument in arguments {
            match argument {
                InputArg::One(index, text) => {
                    let value = inputs.read_one(*index, text)?;
                    inputs.give(*index, value)?;
                }
                InputArg::All(path) => inputs.read_all(path)?,
            }
        }
        Ok(inputs)
    }

    /// Reads what the command line gives, and has the others made up.
    pub(crate) fn complete(method: &Method, arguments: &InputArgs) -> Result<Inputs> {
        let mut inputs = Inputs::read(method, &arguments.input)?;
        arguments.shape.iter().try_for_each(|shape| inputs.set_shape(shape))?;
        inputs.make_up_all();
        Ok(inputs)
    }

    /// Says which shape a made-up input has.
    pub(crate) fn set_shape(&mut self, argument: &ShapeArg) -> Result<()> {
        let shape = Shape::new(&argument.dims).map_err(|error| Usage::error(error.to_string()))?;
        self.check_index(argument.input)?;
        if self.given[argument.input].is_some() {
            return Err(Usage::error(format!("input {} has the shape of what --input gives", argument.input)));
        }
        match &self.specs[argument.input] {
            Spec::Tensor { shape: declared, dynamic, .. } => {
                let fits = shape.rank() == declared.rank() && shape.iter().zip(declared.iter()).all(|(a, b)| a <= b);
                if !(fits && *dynamic) && shape != *declared {
                    let bound = if *dynamic { "at most " } else { "" };
                    let input = argument.input;
                    return Err(Usage::error(format!("input {input} takes {bound}{declared}, and {shape} was given")));
                }
            }
            Spec::Other(kind) => {
                return Err(Usage::error(format!("input {} is a {kind} and has no shape", argument.input)));
            }
            _ => {}
        }
        self.shapes[argument.input] = Some(shape);
        Ok(())
    }

    /// Has every input that is not given made up: tensors at their largest shape unless one was set, and all else as the
    /// program was exported.
    pub(crate) fn make_up_all(&mut self) {
        for (index, spec) in self.specs.iter().enumerate() {
            match (spec, &mut self.given[index]) {
                (_, Some(_)) => {}
                (Spec::Tensor { shape, .. }, None) => _ = self.shapes[index].get_or_insert(*shape),
                (_, given) => given.clone_from(&self.exported[index]),
            }
        }
    }

    /// A whole set of inputs. The same seed makes the same set.
    pub(crate) fn set(&self, seed: u64) -> Result<Vec<Value>> {
        // The program's file says how large they are.
        self.allowed.check_host("a set of random inputs", self.made_up_bytes())?;
        let mut random = Random::new(seed);
        let mut values = Vec::with_capacity(self.specs.len());
        for (index, spec) in self.specs.iter().enumerate() {
            values.push(match (&self.given[index], self.shapes[index], spec) {
                (Some(value), ..) => value.clone(),
                (None, Some(shape), Spec::Tensor { dtype, .. }) => {
                    random.tensor(*dtype, shape, self.limits[index])?.into()
                }
                (None, _, Spec::Other("null")) => Value::Null,
                (None, _, Spec::Other(kind)) => {
                    let text = format!("input {index} is a {kind}: give it with --input {index}=VALUE, or --random");
                    return Err(Usage::error(text));
                }
                _ => {
                    let text = format!(
                        "input {index} is missing: give it with --input {index}=FILE, or make it up with --random"
                    );
                    return Err(Usage::error(text));
                }
            });
        }
        Ok(values)
    }

    /// Bytes of the inputs that are made up.
    fn made_up_bytes(&self) -> u64 {
        let inputs = self.specs.iter().zip(&self.given).zip(&self.shapes);
        let bytes = inputs.filter_map(|input| match input {
            ((Spec::Tensor { dtype, .. }, None), Some(shape)) => Some(shape.numel() as u64 * dtype.size() as u64),
            _ => None,
        });
        bytes.fold(0, u64::saturating_add)
    }

    /// Whether any input differs from set to set.
    pub(crate) fn any_made_up(&self) -> bool {
        self.given.iter().zip(&self.shapes).any(|(given, shape)| given.is_none() && shape.is_some())
    }

    fn give(&mut self, index: usize, value: Value) -> Result<()> {
        self.check_index(index)?;
        if self.given[index].replace(value).is_some() {
            return Err(Usage::error(format!("input {index} is given twice")));
        }
        Ok(())
    }

    fn check_index(&self, index: usize) -> Result<()> {
        let count = self.specs.len();
        if index < count {
            return Ok(());
        }
        Err(Usage::error(format!("there is no input {index}: the method takes {count}, counted from 0")))
    }

    fn read_one(&self, index: usize, text: &str) -> Result<Value> {
        self.check_index(index)?;
        let wrong = |kind: &str| Usage::error(format!("input {index} is a {kind}, and {text:?} was given"));
        Ok(match &self.specs[index] {
            Spec::Other("int") => Value::Int(text.parse().map_err(|_| wrong("int"))?),
            Spec::Other("float") => Value::Double(text.parse().map_err(|_| wrong("float"))?),
            Spec::Other("bool") => Value::Bool(text.parse().map_err(|_| wrong("bool"))?),
            Spec::Other("string") => Value::Str(text.to_owned()),
            Spec::Other(kind) => return Err(Usage::error(format!("input {index} is a {kind}, which cannot be given"))),
            _ => {
                let mut tensors = tensors::read(Path::new(text))?;
                if tensors.len() != 1 {
                    let own = index.to_string();
                    tensors.retain(|(name, _)| *name == own);
                }
                let found = tensors.pop().map(|(_, tensor)| tensor);
                let absent = || Usage::error(format!("{text} holds several tensors, and none is named {index}"));
                found.ok_or_else(absent)?.into()
            }
        })
    }

    /// Takes the tensors of a file, which are named by number, or the only tensor for the only input.
    fn read_all(&mut self, path: &Path) -> Result<()> {
        let tensors = tensors::read(path)?;
        if let ([(_, tensor)], [_]) = (tensors.as_slice(), self.specs.as_slice()) {
            return self.give(0, tensor.into());
        }
        for (name, tensor) in &tensors {
            let index = name.parse().map_err(|_| {
                let text = format!(
                    "{}: tensor {name:?} is not named by the number of an input; use --input N=FILE",
                    path.display()
                );
                Usage::error(text)
            })?;
            self.give(index, tensor.into())?;
        }
        Ok(())
    }
}

/// A generator whose numbers are the same on every machine and in every version: splitmix64.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: u64) -> u64 {
        // The upper half of a product is spread evenly enough, without a division.
        let product = u128::from(self.next()) * u128::from(limit);
        u64::try_from(product >> 64).unwrap_or(0)
    }

    /// A number of about normal distribution: the sum of four uniform ones, centred, of deviation 1.
    fn normal(&mut self) -> f64 {
        let mut uniform = || (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        let sum = uniform() + uniform() + uniform() + uniform();
        (sum - 2.0) * 3f64.sqrt()
    }

    fn tensor(&mut self, dtype: DType, shape: Shape, limit: Option<u64>) -> Result<HostTensor> {
        let count = shape.numel();
        if dtype.is_float() {
            return Ok(HostTensor::from_f64s(dtype, shape, (0..count).map(|_| self.normal()))?);
        }
        let limit = if dtype == DType::Bool { 2 } else { limit.unwrap_or(INTEGERS).max(1) };
        let values = (0..count).map(|_| i64::try_from(self.below(limit)).unwrap_or(i64::MAX));
        Ok(HostTensor::from_i64s(dtype, shape, values)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_repeat_and_stay_within_bounds() {
        let shape = Shape::new(&[4096]).unwrap();
        let make = |seed| Random::new(seed).tensor(DType::I64, shape, Some(7)).unwrap().to_i64s();
        assert_eq!(make(1), make(1));
        assert_ne!(make(1), make(2));
        assert!((0..7).all(|value| make(1).contains(&value)) && make(1).iter().all(|value| (0..7).contains(value)));
        let floats = Random::new(3).tensor(DType::F32, shape, None).unwrap().to_f64s();
        let mean = floats.iter().sum::<f64>() / 4096.0;
        let variance = floats.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 4096.0;
        assert!(mean.abs() < 0.1 && (variance - 1.0).abs() < 0.1, "{mean} {variance}");
    }
}
