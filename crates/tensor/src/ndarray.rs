//! Conversions to and from `ndarray`.

use ::ndarray::{ArrayBase, ArrayViewD, Data, Dimension};

use crate::{Element, HostTensor, TensorError};

impl HostTensor {
    /// A tensor with the elements of an array, in its logical order.
    ///
    /// ```
    /// # use pteron_tensor::HostTensor;
    /// let x = HostTensor::from_array(&ndarray::array![[1.0f32, 2.0], [3.0, 4.0]].t())?;
    /// assert_eq!(x.as_slice::<f32>()?, [1.0, 3.0, 2.0, 4.0]);
    /// # Ok::<(), pteron_tensor::TensorError>(())
    /// ```
    pub fn from_array<T, S, D>(array: &ArrayBase<S, D>) -> Result<HostTensor, TensorError>
    where
        T: Element,
        S: Data<Elem = T>,
        D: Dimension,
    {
        HostTensor::from_vec(array.iter().copied().collect(), array.shape())
    }

    /// The elements as an array view.
    pub fn to_array<T: Element>(&self) -> Result<ArrayViewD<'_, T>, TensorError> {
        let data = self.as_slice::<T>()?;
        ArrayViewD::from_shape(self.shape().dims(), data).map_err(|e| TensorError::Unsupported(e.to_string()))
    }
}
