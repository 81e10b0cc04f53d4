//! The plans of a graph that are kept from call to call.

use pteron_ops::Caps;
use pteron_tensor::Shape;

use super::GraphPlan;
use super::call::{self, CallInput};
use crate::error::{Error, Result};
use crate::graph::Graph;

/// Plans that are kept; the one unused for longest goes first.
const KEPT: usize = 32;

/// The plans of one graph, each as its engine needs it.
#[derive(Debug)]
pub(crate) struct PlanCache<P> {
    /// The last is the one used most recently.
    plans: Vec<P>,
}

impl<P> Default for PlanCache<P> {
    fn default() -> PlanCache<P> {
        PlanCache { plans: Vec::new() }
    }
}

impl<P: AsRef<GraphPlan>> PlanCache<P> {
    /// The plan for a call with these inputs, and the call's symbolic integers, which satisfy what operators ask of them.
    ///
    /// A plan that is not there is made, and `compile` makes of it what is kept. A call that is refused adds none.
    pub(crate) fn plan_for<I: CallInput>(
        &mut self,
        graph: &Graph,
        inputs: &[I],
        caps: &Caps,
        compile: impl FnOnce(GraphPlan) -> Result<P>,
    ) -> Result<(&mut P, Vec<i64>)> {
        call::check_types(graph, inputs)?;
        let elements = |number: usize, element: usize| call::element(graph, inputs, number, element);
        let mut syms = Vec::new();
        let mut found = None;
        for (at, plan) in self.plans.iter().enumerate() {
            let plan = plan.as_ref();
            let same = plan.inputs.iter().map(|input| input.shape).eq(inputs.iter().map(CallInput::shape));
            if same && plan.symbols_for(graph, &elements, &mut syms)? {
                plan.check_symbols(graph, &syms)?;
                found = Some(at);
                break;
            }
        }
        match found {
            Some(at) => self.plans[at..].rotate_left(1),
            None => {
                let shapes: Vec<Shape> = inputs.iter().map(CallInput::shape).collect();
                let plan = GraphPlan::new(graph, &shapes, &elements, caps)?;
                if !plan.symbols_for(graph, &elements, &mut syms)? {
                    return Err(Error::Program("a plan does not hold for its own call".to_owned()));
                }
                plan.check_symbols(graph, &syms)?;
                self.keep(compile(plan)?);
            }
        }
        let lost = || Error::Program("a plan was lost".to_owned());
        Ok((self.plans.last_mut().ok_or_else(lost)?, syms))
    }

    /// Keeps a plan as the one used most recently.
    pub(crate) fn keep(&mut self, plan: P) {
        if self.plans.len() >= KEPT {
            self.plans.remove(0);
        }
        self.plans.push(plan);
    }

    /// The plan used most recently.
    pub(crate) fn last(&self) -> Option<&P> {
        self.plans.last()
    }

    /// All plans.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut P> {
        self.plans.iter_mut()
    }
}
