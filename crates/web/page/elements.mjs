// Small things that the views share.

/** An element with properties and children. */
export function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

/** An element of a drawing, with attributes and children. */
export function vector(name, attributes = {}, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

/** A table with a heading for each column. */
export function table(headings, rows) {
    const cells = (name, values) => element("tr", {}, ...values.map((value) => element(name, {}, value instanceof Node ? value : String(value))));
    const head = element("thead", {}, cells("th", headings));
    const body = element("tbody", {}, ...rows.map((row) => cells("td", row)));
    return element("div", { className: "scroll", tabIndex: 0, role: "group", ariaLabel: `Table of ${headings.filter((heading) => heading !== "").join(", ")}` }, element("table", {}, head, body));
}

/** Bytes in words. */
export function bytes(count) {
    const units = ["bytes", "kB", "MB", "GB"];
    const at = count < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(count) / 3));
    return `${at === 0 ? count : (count / 1000 ** at).toFixed(1)} ${units[at]}`;
}

/** Shows what went wrong. */
export function fail(status, error) {
    status.replaceChildren(element("span", { className: "error" }, error.message));
}

/** What a method takes or gives, in words. */
export const describe = (spec) => (spec.kind === "tensor" ? `${spec.dtype}[${spec.shape.join(", ")}]${spec.dynamic ? " at most" : ""}` : spec.kind);

/** Offers text as a file. */
export function save(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Takes files that are dropped onto an element. */
export function takeDrops(target, take) {
    target.addEventListener("dragover", (event) => {
        event.preventDefault();
        target.classList.add("dropping");
    });
    target.addEventListener("dragleave", () => target.classList.remove("dropping"));
    target.addEventListener("drop", (event) => {
        event.preventDefault();
        target.classList.remove("dropping");
        take([...event.dataTransfer.files]);
    });
}
