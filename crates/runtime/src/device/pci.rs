//! Addresses of the PCI bus, as tools write them.

/// Where a device is on the PCI bus. Tools write its numbers with more zeros or fewer, and may leave out the domain.
#[derive(Clone, Copy, Debug)]
pub(super) struct PciAddress {
    domain: Option<u32>,
    bus: u32,
    device: u32,
    function: u32,
}

impl PciAddress {
    /// Reads `domain:bus:device.function`, or that without the domain, in hexadecimal digits.
    pub(super) fn parse(text: &str) -> Option<PciAddress> {
        let number = |digits: &str| u32::from_str_radix(digits, 16).ok();
        let (place, function) = text.trim().rsplit_once('.')?;
        let (place, device) = place.rsplit_once(':')?;
        let (domain, bus) = match place.split_once(':') {
            Some((domain, bus)) => (Some(number(domain)?), bus),
            None => (None, place),
        };
        Some(PciAddress { domain, bus: number(bus)?, device: number(device)?, function: number(function)? })
    }

    /// Whether it is another's place, in any domain where it names none.
    pub(super) fn is_at(self, other: PciAddress) -> bool {
        let place = |address: PciAddress| (address.bus, address.device, address.function);
        place(self) == place(other) && self.domain.is_none_or(|domain| domain == other.domain.unwrap_or(0))
    }
}
