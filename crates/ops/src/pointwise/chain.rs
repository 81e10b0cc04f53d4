//! `pteron.chain`: pointwise operators that follow each other, in one launch.
//!
//! Arguments: the inputs; for each link its number, whether its first two operands change places, and the inputs that are
//! its second and third operand, or −1 for a number; and those numbers, two for each link.

use pteron_tensor::{DType, HostTensor, Shape};

use super::rows::{BINARY, CHAINED, Expression, Row, UNARY};
use crate::args::{Args, Described};
use crate::broadcast;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::fused::arguments::ValueId;
use crate::kernels::chain;
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] = &[OpDef::fused(Chain::NAME, plan, reference).accuracy(Accuracy::Approximate)];

/// The most inputs of a chain.
const INPUTS: usize = 4;
/// The most links of a chain.
const LINKS: usize = 12;
/// Numbers of the links that choose between two operands: by what comes from the link before, or by the second operand
/// where that is the first or the second of the two.
const CHOOSE_BY: usize = CHAINED.len() + 1;
const CHOOSE_FIRST: usize = CHAINED.len() + 2;
const CHOOSE_SECOND: usize = CHAINED.len() + 3;

/// An argument of an operator that may be a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChainArg<'a> {
    /// A tensor of 32-bit floats or truth values.
    Tensor(ValueId),
    /// A number.
    Number(f64),
    /// A mode.
    Text(&'a str),
    /// Nothing.
    Absent,
}

/// Pointwise operators of which each takes what the one before it gives. The first takes the first input.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Its tensors.
    pub inputs: Vec<ValueId>,
    links: Vec<Link>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Link {
    /// The number of its row in [`CHAINED`] from 1 on, or one that chooses.
    code: usize,
    swapped: bool,
    operands: [Operand; 2],
}

/// The second or third operand of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operand {
    Input(usize),
    Number(f64),
}

impl Chain {
    /// The operator's name.
    pub const NAME: &'static str = "pteron.chain.default";

    /// The chain of one operator, where it can be a link.
    pub fn of(op: &str, args: &[ChainArg<'_>]) -> Option<Chain> {
        if op == "aten.where.self" {
            let &[ChainArg::Tensor(condition), a, b] = args else { return None };
            let mut inputs = vec![condition];
            let mut operand = |arg: ChainArg<'_>| match arg {
                ChainArg::Tensor(id) => {
                    inputs.push(id);
                    Some(Operand::Input(inputs.len() - 1))
                }
                ChainArg::Number(number) => Some(Operand::Number(number)),
                ChainArg::Text(_) | ChainArg::Absent => None,
            };
            let operands = [operand(a)?, operand(b)?];
            let links = vec![Link { code: CHOOSE_BY, swapped: false, operands }];
            return Some(Chain { inputs, links });
        }
        let mode = args.iter().find_map(|arg| match arg {
            ChainArg::Text(text) => Some(*text),
            _ => None,
        });
        let named = |row: &&Row| {
            let named = row.names.iter().any(|names| names.0 == op) || row.also.contains(&op);
            named && (row.modes.is_empty() || row.modes.contains(&mode.unwrap_or("")))
        };
        let number = |index: usize, default: f64| match args.get(index) {
            Some(ChainArg::Number(number)) => Some(*number),
            Some(ChainArg::Absent | ChainArg::Text(_)) | None => Some(default),
            Some(ChainArg::Tensor(_)) => None,
        };
        let &[ChainArg::Tensor(first), ..] = args else { return None };
        let (row, inputs, operands) = if let Some(row) = UNARY.iter().find(named) {
            let numbers = [number(1, row.numbers.0)?, number(2, row.numbers.1)?];
            (row, vec![first], numbers.map(Operand::Number))
        } else {
            let row = BINARY.iter().find(named)?;
            let (inputs, second) = match *args.get(1)? {
                ChainArg::Tensor(second) if second == first => (vec![first], Operand::Input(0)),
                ChainArg::Tensor(second) => (vec![first, second], Operand::Input(1)),
                ChainArg::Number(second) => (vec![first], Operand::Number(second)),
                ChainArg::Text(_) | ChainArg::Absent => return None,
            };
            (row, inputs, [second, Operand::Number(number(2, 1.0)?)])
        };
        let code = 1 + CHAINED.iter().position(|&expression| expression == row.expression)?;
        Some(Chain { inputs, links: vec![Link { code, swapped: false, operands }] })
    }

    /// Both chains as one, where this one takes a value that only it reads and the other gives.
    pub fn after(&self, value: ValueId, before: &Chain) -> Option<Chain> {
        let mut places = self.inputs.iter().enumerate().filter(|(_, input)| **input == value).map(|(at, _)| at);
        let (at, None) = (places.next()?, places.next()) else { return None };
        let mut own = self.links.clone();
        let reads = |operand: &Operand| *operand == Operand::Input(at);
        let read = own.iter().flat_map(|link| &link.operands).filter(|operand| reads(operand)).count();
        match (at, read) {
            (0, 0) => {}
            (1.., 1) => own[0] = own[0].turned(at)?,
            _ => return None,
        }
        let mut chain = before.clone();
        for link in &mut own {
            for operand in &mut link.operands {
                if let Operand::Input(input) = operand {
                    *input = chain.place(self.inputs[*input]);
                }
            }
        }
        chain.links.extend(own);
        (chain.inputs.len() <= INPUTS && chain.links.len() <= LINKS).then_some(chain)
    }

    /// Where a value is among the inputs, of which it becomes one.
    fn place(&mut self, value: ValueId) -> usize {
        self.inputs.iter().position(|&input| input == value).unwrap_or_else(|| {
            self.inputs.push(value);
            self.inputs.len() - 1
        })
    }

    /// Whether it gives truth values where `truth` says so, and numbers where it does not.
    pub fn gives(&self, truth: bool) -> bool {
        let is_truth = |expression: Expression| row(expression).is_some_and(|row| row.truth);
        match self.links.last().and_then(|link| CHAINED.get(link.code.wrapping_sub(1))) {
            Some(&expression) => is_truth(expression) == truth,
            // A choice is of the type of what it chooses from.
            None => true,
        }
    }

    /// How many operators it is made of.
    pub fn length(&self) -> usize {
        self.links.len()
    }

    /// The second and third argument: what the links are, and their numbers.
    pub fn write(&self) -> (Vec<i64>, Vec<f64>) {
        let input = |operand: Operand| match operand {
            Operand::Input(input) => input as i64,
            Operand::Number(_) => -1,
        };
        let number = |operand: Operand| match operand {
            Operand::Input(_) => 0.0,
            Operand::Number(number) => number,
        };
        let words =
            |link: &Link| [link.code as i64, i64::from(link.swapped), input(link.operands[0]), input(link.operands[1])];
        let numbers = self.links.iter().flat_map(|link| link.operands.map(number));
        (self.links.iter().flat_map(words).collect(), numbers.collect())
    }

    /// The chain that arguments say, with inputs that are told apart by their places.
    pub fn read(inputs: Vec<ValueId>, words: &[i64], numbers: &[f64]) -> Option<Chain> {
        let link = |(words, numbers): (&[i64], &[f64])| {
            let operand = |word: i64, number: f64| match usize::try_from(word) {
                Ok(input) => (input < inputs.len()).then_some(Operand::Input(input)),
                Err(_) => Some(Operand::Number(number)),
            };
            let (&[code, swapped, second, third], &[p, q]) = (words, numbers) else { return None };
            let code = usize::try_from(code).ok().filter(|code| (1..=CHOOSE_SECOND).contains(code))?;
            Some(Link { code, swapped: swapped == 1, operands: [operand(second, p)?, operand(third, q)?] })
        };
        let fits = words.len() == 2 * numbers.len() && words.len() <= 4 * LINKS && words.len().is_multiple_of(4);
        let links = words.chunks(4).zip(numbers.chunks(2)).map(link).collect::<Option<Vec<_>>>()?;
        (fits && !inputs.is_empty() && inputs.len() <= INPUTS).then_some(Chain { inputs, links })
    }
}

impl Link {
    /// The same link with its first operand and that of an input in each other's place.
    fn turned(self, input: usize) -> Option<Link> {
        let [second, third] = self.operands;
        let moved = Operand::Input(input);
        Some(match (self.code, second == moved, third == moved) {
            (CHOOSE_BY, true, false) => Link { code: CHOOSE_FIRST, operands: [Operand::Input(0), third], ..self },
            (CHOOSE_BY, false, true) => Link { code: CHOOSE_SECOND, operands: [Operand::Input(0), second], ..self },
            (code, true, false) if code <= CHAINED.len() => {
                Link { swapped: !self.swapped, operands: [Operand::Input(0), third], ..self }
            }
            _ => return None,
        })
    }

    /// Its value, in plain Rust.
    fn apply(&self, x: f64, y: f64, z: f64) -> f64 {
        let (x, y) = if self.swapped { (y, x) } else { (x, y) };
        match self.code {
            CHOOSE_BY => {
                if x == 0.0 {
                    z
                } else {
                    y
                }
            }
            CHOOSE_FIRST => {
                if y == 0.0 {
                    z
                } else {
                    x
                }
            }
            CHOOSE_SECOND => {
                if y == 0.0 {
                    x
                } else {
                    z
                }
            }
            _ => row(CHAINED[self.code - 1])
                .and_then(|row| row.float)
                .map_or(f64::NAN, |formula| (formula.rust)(x, y, z)),
        }
    }
}

fn row(expression: Expression) -> Option<&'static Row> {
    UNARY.iter().chain(BINARY).find(|row| row.expression == expression)
}

/// A call: its tensors, its chain with inputs by their places, and the shape of its result.
fn read<T: Described>(args: &Args<'_, T>, output: DType) -> Result<(Vec<T>, Chain, Shape)> {
    let tensors = args.tensors(0)?;
    let (words, numbers) = (args.ints(1)?, args.opt_floats(2)?.unwrap_or_default());
    let unfit = || OpError::Unsupported("what is said of the links makes no chain".to_owned());
    let chain = Chain::read((0u32..).take(tensors.len()).collect(), &words, &numbers).ok_or_else(unfit)?;
    for dtype in tensors.iter().map(|tensor| tensor.dtype()).chain([output]) {
        if !matches!(dtype, DType::F32 | DType::Bool) {
            return Err(OpError::DType { dtype, what: Chain::NAME.to_owned() });
        }
    }
    let mut shape = *tensors[0].shape();
    for tensor in &tensors[1..] {
        shape = broadcast::shape_of(&shape, tensor.shape())?;
    }
    Ok((tensors, chain, shape))
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (tensors, chain, shape) = read(cx, cx.output_type(0)?)?;
    let output = cx.output(shape)?;
    let flat = tensors.iter().all(|tensor| tensor.numel() == 1 || tensor.numel() == shape.numel());
    let mut steps = [[0; 4]; 8];
    let mut packed = [1; 4];
    for (input, tensor) in tensors.iter().enumerate() {
        packed[input] = per_word(tensor.dtype);
        if flat {
            steps[0][input] = u32::from(tensor.numel() != 1);
        } else {
            let own = broadcast::strides(&tensor.shape, &shape);
            steps.iter_mut().zip(own).for_each(|(step, own)| step[input] = word(own));
        }
    }
    let mut links = [[0; 4]; LINKS];
    let mut numbers = [[0.0; 4]; LINKS / 2];
    for (number, link) in chain.links.iter().enumerate() {
        let input = |operand| match operand {
            Operand::Input(input) => word(input),
            Operand::Number(_) => word(INPUTS),
        };
        links[number] = [word(link.code), u32::from(link.swapped), input(link.operands[0]), input(link.operands[1])];
        for (place, operand) in link.operands.iter().enumerate() {
            if let Operand::Number(value) = operand {
                #[expect(clippy::cast_possible_truncation, reason = "kernels compute in f32")]
                let value = *value as f32;
                numbers[number / 2][number % 2 * 2 + place] = value;
            }
        }
    }
    let params = chain::Params {
        out: output.meta(),
        steps,
        links,
        numbers,
        packed,
        inputs: word(tensors.len()),
        count: word(chain.links.len()),
        flat: u32::from(flat),
        per_word: per_word(output.dtype),
    };
    let input = |index: usize| tensors.get(index).copied().unwrap_or(tensors[0]);
    let traffic = tensors.iter().chain([&output]).map(|tensor| tensor.bytes()).sum();
    let (input_0, input_1, input_2, input_3) = (input(0), input(1), input(2), input(3));
    let threads = shape.numel().div_ceil(per_word(output.dtype) as usize);
    let bind = chain::Bind { input_0, input_1, input_2, input_3, output, params };
    cx.dispatch(bind, chain::Variant {}).traffic(traffic).threads(threads)
}

/// Elements of a type in a word.
fn per_word(dtype: DType) -> u32 {
    if dtype == DType::Bool { 4 } else { 1 }
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (tensors, chain, shape) = read::<HostTensor>(cx, cx.output_type(0)?)?;
    let elements = |tensor: &HostTensor| broadcast::expand(tensor.to_f64s(), tensor.shape(), &shape);
    let inputs: Vec<_> = tensors.iter().map(elements).collect();
    let element = |index: usize| {
        let operand = |operand: Operand| match operand {
            Operand::Input(input) => inputs[input][index],
            #[expect(clippy::cast_possible_truncation, reason = "kernels compute in f32")]
            Operand::Number(number) => f64::from(number as f32),
        };
        let link = |x: f64, link: &Link| link.apply(x, operand(link.operands[0]), operand(link.operands[1]));
        chain.links.iter().fold(inputs[0][index], link)
    };
    cx.set_f64s(shape, (0..shape.numel()).map(element).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_ends_where_its_value_comes_second() {
        use ChainArg::{Number, Tensor};
        let scaled = Chain::of("aten.mul.Scalar", &[Tensor(1), Number(2.0)]).unwrap();
        let difference = Chain::of("aten.sub.Tensor", &[Tensor(0), Tensor(2), Number(1.0)]).unwrap();
        let both = difference.after(2, &scaled).unwrap();
        assert_eq!((both.inputs.as_slice(), both.length()), (&[1, 0][..], 2));
        let (words, numbers) = both.write();
        assert_eq!(Chain::read(both.inputs.clone(), &words, &numbers), Some(both.clone()));
        let value = both.links.iter().fold(3.0, |x, link| link.apply(x, if link.swapped { 10.0 } else { 2.0 }, 1.0));
        assert_eq!(value, 4.0);
    }

    #[test]
    fn a_value_that_is_read_twice_begins_no_chain() {
        use ChainArg::Tensor;
        let square = Chain::of("aten.mul.Tensor", &[Tensor(2), Tensor(2)]).unwrap();
        let sigmoid = Chain::of("aten.sigmoid.default", &[Tensor(1)]).unwrap();
        assert_eq!(square.after(2, &sigmoid), None);
    }

    #[test]
    fn a_choice_takes_each_of_its_operands_from_a_chain() {
        use ChainArg::Tensor;
        let choice = Chain::of("aten.where.self", &[Tensor(0), Tensor(1), Tensor(2)]).unwrap();
        let negated = |value| Chain::of("aten.neg.default", &[Tensor(value)]).unwrap();
        for (value, inputs) in [(0, [9, 1, 2]), (1, [9, 0, 2]), (2, [9, 0, 1])] {
            assert_eq!(choice.after(value, &negated(9)).unwrap().inputs, inputs);
        }
    }

    #[test]
    fn what_has_no_link_makes_no_chain() {
        assert_eq!(Chain::of("aten.sin.default", &[ChainArg::Tensor(0)]), None);
        assert_eq!(Chain::of("aten.add.Tensor", &[ChainArg::Number(1.0), ChainArg::Tensor(0)]), None);
        assert_eq!(Chain::read(vec![0], &[999, 0, -1, -1], &[0.0, 0.0]), None);
        assert_eq!(Chain::read(vec![0], &[1, 0, 3, -1], &[0.0, 0.0]), None);
    }
}
