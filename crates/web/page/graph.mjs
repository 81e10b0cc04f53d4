// A method's graph as a picture that can be moved, zoomed and searched.

import { element, vector } from "./elements.mjs";

const [WIDTH, HEIGHT] = [150, 30];
const [ACROSS, DOWN] = [170, 56];
const ZOOM = 1.3;

/** Nodes with their places: below all that they read, and about under it. */
function layOut(nodes) {
    const writers = new Map();
    const layers = [];
    const placed = nodes.map((node, number) => {
        const sources = [...new Set(node.reads.map((name) => writers.get(`${node.graph} ${name}`) ?? writers.get(name)).filter((it) => it !== undefined))];
        const depth = 1 + Math.max(-1, ...sources.map(({ depth }) => depth));
        const wanted = sources.length === 0 ? 0 : sources.reduce((sum, { x }) => sum + x, 0) / sources.length;
        const layer = (layers[depth] ??= []);
        // The free place in the layer that is nearest to where the node wants to be.
        let column = Math.round(wanted / ACROSS);
        for (let step = 1; layer.includes(column); step++) column += step % 2 === 1 ? step : -step;
        layer.push(column);
        const it = { ...node, number, depth, sources, x: column * ACROSS, y: depth * DOWN };
        for (const name of node.writes) {
            writers.set(`${node.graph} ${name}`, it);
            writers.set(name, it);
        }
        return it;
    });
    return placed;
}

/** The picture, its search and its buttons. */
export function graphView(nodes) {
    const placed = layOut(nodes);
    const [left, right] = [Math.min(...placed.map(({ x }) => x)), Math.max(...placed.map(({ x }) => x)) + WIDTH];
    const bottom = Math.max(...placed.map(({ y }) => y)) + HEIGHT;
    const [wide, tall] = [Math.max(right - left + 40, 500), Math.max(bottom + 40, 300)];
    const whole = { x: (left + right - wide) / 2, y: (bottom - tall) / 2, width: wide, height: tall };
    let view = { ...whole };

    const edge = (from, to) => {
        const [x1, y1, x2, y2] = [from.x + WIDTH / 2, from.y + HEIGHT, to.x + WIDTH / 2, to.y];
        return vector("path", { d: `M${x1} ${y1}C${x1} ${y1 + 20} ${x2} ${y2 - 20} ${x2} ${y2}` });
    };
    const box = (it) => {
        const name = it.op.replace(/^(aten|pteron|et_vk|executorch_prim)\./, "").replace(/\.default$/, "");
        const made = vector(
            "g",
            { transform: `translate(${it.x} ${it.y})`, class: "node" },
            vector("rect", { width: WIDTH, height: HEIGHT, rx: 5 }),
            vector("text", { x: WIDTH / 2, y: 20 }, name.length > 20 ? `${name.slice(0, 19)}…` : name),
            vector("title", {}, `${it.number}: ${it.op}`),
        );
        made.addEventListener("click", () => tell(it));
        return made;
    };
    const boxes = placed.map(box);
    const label = `A graph of ${placed.length} nodes. Arrow keys move it, plus and minus zoom.`;
    const picture = vector(
        "svg",
        { class: "graph", role: "application", "aria-roledescription": "graph", "aria-label": label, tabindex: 0 },
        vector("g", { class: "edges" }, ...placed.flatMap((it) => it.sources.map((source) => edge(source, it)))),
        ...boxes,
    );
    const hint = `${placed.length === 1 ? "One node" : `${placed.length} nodes`}. Choose one for its values.`;
    const details = element("p", { className: "details", role: "status" }, hint);

    const draw = () => picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    const zoom = (factor, x = view.x + view.width / 2, y = view.y + view.height / 2) => {
        view = { x: x - (x - view.x) * factor, y: y - (y - view.y) * factor, width: view.width * factor, height: view.height * factor };
        draw();
    };
    const move = (x, y) => {
        view = { ...view, x: view.x + x * view.width, y: view.y + y * view.height };
        draw();
    };
    function tell(it) {
        boxes.forEach((box, at) => box.classList.toggle("chosen", at === it.number));
        details.textContent = `${it.number}: ${it.op}, reads ${it.reads.join(", ") || "nothing"}, writes ${it.writes.join(", ") || "nothing"}`;
    }
    /** Shows a node in the middle, large enough to be read. */
    function show(it) {
        const [width, height] = [Math.min(whole.width, 900), Math.min(whole.height, 600)];
        view = { x: it.x + WIDTH / 2 - width / 2, y: it.y + HEIGHT / 2 - height / 2, width, height };
        draw();
        tell(it);
    }

    const search = element("input", { type: "search", placeholder: "Search nodes", ariaLabel: "Search nodes of the graph" });
    let found = [];
    search.addEventListener("input", () => {
        const wanted = search.value.trim().toLowerCase();
        found = wanted === "" ? [] : placed.filter(({ op, reads, writes }) => [op, ...reads, ...writes].join(" ").toLowerCase().includes(wanted));
        boxes.forEach((box, at) => box.classList.toggle("found", found.some(({ number }) => number === at)));
        if (found.length > 0) show(found[0]);
        else details.textContent = wanted === "" ? hint : "Nothing is found.";
        if (found.length > 1) details.textContent += `; ${found.length} found, Enter shows the next`;
    });
    search.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        if (found.length === 0) return;
        found.push(found.shift());
        show(found[0]);
    });

    // The view keeps the shape of what shows it, so that a place on the screen is a place in it.
    const place = ({ clientX, clientY }) => new DOMPoint(clientX, clientY).matrixTransform(picture.getScreenCTM().inverse());
    picture.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && document.activeElement !== picture) return;
        event.preventDefault();
        const { x, y } = place(event);
        zoom(event.deltaY > 0 ? ZOOM : 1 / ZOOM, x, y);
    }, { passive: false });
    let held;
    picture.addEventListener("pointerdown", (event) => (held = place(event)));
    picture.addEventListener("pointermove", (event) => {
        if (held === undefined) return;
        const here = place(event);
        if (event.buttons === 0 || Math.hypot(here.x - held.x, here.y - held.y) < 3) return;
        view = { ...view, x: view.x + held.x - here.x, y: view.y + held.y - here.y };
        draw();
    });
    for (const kind of ["pointerup", "pointerleave"]) picture.addEventListener(kind, () => (held = undefined));
    const keys = { ArrowLeft: () => move(-0.1, 0), ArrowRight: () => move(0.1, 0), ArrowUp: () => move(0, -0.1), ArrowDown: () => move(0, 0.1), "+": () => zoom(1 / ZOOM), "-": () => zoom(ZOOM), 0: fit };
    picture.addEventListener("keydown", (event) => {
        if (keys[event.key] === undefined) return;
        event.preventDefault();
        keys[event.key]();
    });
    function fit() {
        view = { ...whole };
        draw();
    }
    const button = (name, label, work) => {
        const made = element("button", { type: "button", ariaLabel: label }, name);
        made.addEventListener("click", work);
        return made;
    };
    // A large graph is shown from its beginning, where it can be read.
    if (whole.height > 900 || whole.width > 1200) {
        view = { x: placed[0].x + WIDTH / 2 - 450, y: -20, width: 900, height: 600 };
        draw();
    } else fit();
    const tools = element("div", { className: "tools" }, search, button("+", "Zoom in", () => zoom(1 / ZOOM)), button("−", "Zoom out", () => zoom(ZOOM)), button("All", "Show all nodes", fit));
    return element("div", {}, tools, picture, details);
}
