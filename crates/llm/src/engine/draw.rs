//! Drawing the next token on the device: an operator that is appended to the method, and the token that it gives.

use pteron_runtime::{Appended, Argument, Carry, DType, Method, MethodOptions, Port, Submitted, TensorType, Value};

use super::signature::{self, Signature};
use crate::error::{Error, Result};

/// The operator.
const NEXT_TOKEN: &str = "pteron.next_token.default";

/// Where the operator takes its settings and gives its token.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawPorts {
    pub(super) settings: usize,
    pub(super) token: usize,
}

/// Options with which a method draws a token from its logits, which the next call takes without leaving the device.
pub(super) fn options(options: &MethodOptions, signature: &Signature) -> Result<MethodOptions> {
    let draw = Appended {
        op: NEXT_TOKEN.to_owned(),
        args: vec![
            Argument::Output(Port::Program(signature.logits)),
            Argument::Input(TensorType::fixed(DType::F32, &[4])?),
        ],
        outputs: vec![TensorType::fixed(signature.token_type, &[1, 1])?],
    };
    let token = Port::Appended { operator: 0, number: 0 };
    let carry = Carry { output: token, input: Port::Program(signature::TOKENS) };
    Ok(options.clone().with_append(vec![draw]).with_carry(vec![carry]))
}

impl DrawPorts {
    pub(super) fn of(method: &Method) -> Result<DrawPorts> {
        let ports = method.appended().first();
        let ports = ports.and_then(|ports| Some((*ports.inputs.first()?, *ports.outputs.first()?)));
        let (settings, token) = ports.ok_or_else(|| Error::Program("it draws no token".to_owned()))?;
        Ok(DrawPorts { settings, token })
    }
}

/// A call that may still run, and draws a token.
#[derive(Debug)]
pub(crate) struct PendingDraw {
    pub(super) submitted: Submitted,
    /// The output that is the token, and all that is read.
    pub(super) token: usize,
}

impl PendingDraw {
    /// The token on the device, for the next call.
    pub(crate) fn token_on_device(&self) -> Option<Value> {
        self.submitted.outputs().get(self.token).cloned()
    }

    /// Waits for the token; there is none where no logit is a finite number.
    pub(crate) async fn read(self) -> Result<Option<u32>> {
        let results = self.submitted.read_async().await?;
        let token = results.first().and_then(|token| token.to_i64s().first().copied());
        let token = token.ok_or_else(|| Error::Program("a call gave no token".to_owned()))?;
        Ok(u32::try_from(token).ok())
    }
}
