// What a visitor gives a method: numbers, files, pictures, drawings and what a camera sees.

import { describe, element } from "./elements.mjs";
import { SCALES, isFloat, pictureOf, product, readTensor, tensorOf, tensorOfPicture } from "./tensors.mjs";

const SIDE = 224;

/** A field for one input; `value()` gives what was chosen. */
export function inputField(spec, index) {
    if (spec.kind !== "tensor") return scalarField(spec, index);
    const sees = pictureOf(spec) !== undefined;
    const kinds = ["random", "zeros", "ones", "numbers", "file", ...(sees ? ["picture", "drawing", "camera"] : [])];
    const kind = element("select", { ariaLabel: `What input ${index} is` }, ...kinds.map((value) => element("option", { value }, value)));
    const shape = element("input", { value: spec.shape.join(" × "), size: 14, hidden: !spec.dynamic, ariaLabel: `Sizes of input ${index}, at most ${spec.shape.join(" by ")}` });
    const numbers = element("input", { placeholder: "1, 2, 3 …", ariaLabel: `Numbers of input ${index}` });
    const file = element("input", { type: "file", accept: ".npy,.safetensors", ariaLabel: `File of input ${index}` });
    const scale = element("select", { ariaLabel: `Values of the picture of input ${index}` }, ...Object.keys(SCALES).map((value) => element("option", { value }, value)));
    const view = sees ? pictureField(index) : undefined;
    const extras = { numbers: [numbers], file: [file], picture: [view?.file, view?.canvas, scale], drawing: [view?.clear, view?.canvas, scale], camera: [view?.canvas, scale] };
    const extra = element("div", { className: "extra" });
    kind.addEventListener("change", () => {
        extra.replaceChildren(...(extras[kind.value] ?? []));
        view?.use(kind.value);
    });

    const sizes = () => {
        const given = spec.dynamic ? shape.value.split(/[^0-9]+/).filter((size) => size !== "").map(Number) : spec.shape;
        if (given.length !== spec.shape.length) throw new Error(`input ${index} has ${spec.shape.length} sizes`);
        return given;
    };
    const value = async () => {
        if (kind.value === "file") {
            if (file.files.length === 0) throw new Error(`input ${index}: choose a .npy or .safetensors file`);
            return readTensor(file.files[0], index);
        }
        if (["picture", "drawing", "camera"].includes(kind.value)) return tensorOfPicture(view.canvas, spec, scale.value);
        const given = numbers.value.split(/[\s,]+/).filter((word) => word !== "").map(Number);
        if (given.some(Number.isNaN)) throw new Error(`input ${index}: what is written there are not all numbers`);
        // Whole numbers stay small, since they are often ids.
        const random = isFloat(spec.dtype) ? () => Math.random() * 2 - 1 : () => Math.floor(Math.random() * (spec.dtype === "bool" ? 2 : 8));
        const number = { random, zeros: () => 0, ones: () => 1, numbers: (at) => given[at % given.length] ?? 0 }[kind.value];
        const shape = sizes();
        return tensorOf(spec.dtype, shape, Array.from({ length: product(shape) }, (_, at) => number(at)));
    };
    return { field: element("fieldset", {}, element("legend", {}, `Input ${index}: ${describe(spec)}`), kind, shape, extra), value };
}

function scalarField(spec, index) {
    const usual = { int: "0", float: "0", bool: "false", string: "" }[spec.kind];
    const text = element("input", { value: usual ?? "null", disabled: usual === undefined, ariaLabel: `Input ${index}` });
    const read = { int: (text) => BigInt(text), float: Number, bool: (text) => text === "true", string: (text) => text };
    return { field: element("fieldset", {}, element("legend", {}, `Input ${index}: ${spec.kind}`), text), value: async () => read[spec.kind]?.(text.value) ?? null };
}

/** A square that shows a picture, can be drawn on, or follows the camera. */
function pictureField(index) {
    const canvas = element("canvas", { width: SIDE, height: SIDE, className: "pad", role: "img", ariaLabel: `What input ${index} sees` });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const file = element("input", { type: "file", accept: "image/*", ariaLabel: `Picture of input ${index}` });
    const clear = element("button", { type: "button" }, "Clear");
    let stream;
    let mode;

    const empty = () => {
        context.fillStyle = "black";
        context.fillRect(0, 0, SIDE, SIDE);
    };
    /** Fills the square with the middle of something. */
    const cover = (source, width, height) => {
        const side = Math.min(width, height);
        context.drawImage(source, (width - side) / 2, (height - side) / 2, side, side, 0, 0, SIDE, SIDE);
    };
    file.addEventListener("change", async () => {
        const [chosen] = file.files;
        if (chosen === undefined) return;
        const picture = await createImageBitmap(chosen);
        cover(picture, picture.width, picture.height);
    });
    clear.addEventListener("click", empty);

    let last;
    const place = ({ offsetX, offsetY }) => [(offsetX * SIDE) / canvas.clientWidth, (offsetY * SIDE) / canvas.clientHeight];
    canvas.addEventListener("pointerdown", (event) => {
        if (mode !== "drawing") return;
        canvas.setPointerCapture(event.pointerId);
        last = place(event);
    });
    canvas.addEventListener("pointermove", (event) => {
        if (mode !== "drawing" || last === undefined) return;
        const next = place(event);
        Object.assign(context, { strokeStyle: "white", lineWidth: 14, lineCap: "round" });
        context.beginPath();
        context.moveTo(...last);
        context.lineTo(...next);
        context.stroke();
        last = next;
    });
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, () => (last = undefined));

    /** Follows the camera until something else is chosen or the square is gone. */
    async function follow() {
        const asked = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
        const end = () => asked.getTracks().forEach((track) => track.stop());
        if (mode !== "camera") return end();
        stream = { end };
        const video = element("video", { muted: true, playsInline: true, srcObject: asked });
        await video.play();
        const draw = () => {
            if (mode !== "camera" || !canvas.isConnected) return end();
            cover(video, video.videoWidth, video.videoHeight);
            requestAnimationFrame(draw);
        };
        draw();
    }

    const use = (kind) => {
        mode = kind;
        stream?.end();
        stream = undefined;
        canvas.classList.toggle("drawing", kind === "drawing");
        empty();
        if (kind !== "camera") return;
        follow().catch((error) => {
            context.fillStyle = "white";
            context.fillText(`No camera: ${error.message}`.slice(0, 40), 8, SIDE / 2);
        });
    };
    empty();
    return { canvas, file, clear, use };
}
