// What a method gives: numbers, heat maps, pictures and the best classes.

import { element, table } from "./elements.mjs";
import { numbersOf, pictureOf, product } from "./tensors.mjs";

const SHOWN = 64;
const BEST = 5;

/** An output with all that can be said of it. Labels name the classes of an output that has as many. */
export function outputView(value, index, labels) {
    if (value === null || typeof value !== "object") return element("p", {}, `Output ${index}: ${value}`);
    const numbers = numbersOf(value);
    const finite = numbers.filter(Number.isFinite);
    const [least, most] = finite.reduce(([least, most], number) => [Math.min(least, number), Math.max(most, number)], [Infinity, -Infinity]);
    const mean = finite.reduce((sum, number) => sum + number, 0) / finite.length;
    const range = finite.length === 0 ? "nothing finite" : `${short(least)} to ${short(most)}, mean ${short(mean)}`;
    const title = `Output ${index}: ${value.dtype}[${value.shape.join(", ")}], ${range}`;
    const made = element("section", { className: "output" }, element("h3", {}, title));
    const classes = value.shape.at(-1) ?? 1;
    if (product(value.shape) === classes && (classes === labels.length || classes >= 10)) made.append(best(numbers, labels));
    const picture = pictureOf(value);
    if (picture !== undefined) made.append(paint(numbers, picture, least, most, title));
    else if (finite.length > 1) {
        const [rows, columns] = [value.shape.at(-2) ?? 1, classes];
        if (rows <= 2048 && columns <= 4096) made.append(heatMap(numbers, rows, columns, least, most, title));
    }
    made.append(element("p", { className: "numbers" }, numbers.slice(0, SHOWN).map(short).join(", ") + (numbers.length > SHOWN ? ", …" : "")));
    return made;
}

const short = (number) => String(Number(number.toPrecision(5)));

/** The classes with the largest values, and their share by softmax. */
function best(numbers, labels) {
    const order = numbers.map((_, at) => at).sort((a, b) => numbers[b] - numbers[a]);
    const weights = numbers.map((number) => Math.exp(number - numbers[order[0]]));
    const sum = weights.reduce((sum, weight) => sum + weight, 0);
    const named = labels.length === numbers.length;
    const rows = order.slice(0, BEST).map((at) => [named ? labels[at] : `class ${at}`, short(numbers[at]), `${((100 * weights[at]) / sum).toFixed(1)} %`]);
    return table(["best classes", "value", "softmax"], rows);
}

function canvasOf(rows, columns, label, pixel) {
    const canvas = element("canvas", { width: columns, height: rows, ariaLabel: label, role: "img" });
    const context = canvas.getContext("2d");
    const picture = context.createImageData(columns, rows);
    for (let place = 0; place < rows * columns; place++) picture.data.set(pixel(place), place * 4);
    context.putImageData(picture, 0, 0);
    return canvas;
}

/** The last two dimensions in colours: blue for the least, yellow for the most. */
function heatMap(numbers, rows, columns, least, most, label) {
    return canvasOf(rows, columns, label, (place) => {
        const share = most > least ? (numbers[place] - least) / (most - least) : 0;
        return [40 + 215 * share, 50 + 170 * share, 140 * (1 - share) + 30, 255];
    });
}

/** A picture, from its least value to its most. */
function paint(numbers, { channels, rows, columns, first }, least, most, label) {
    const byte = (place, channel) => {
        const at = first ? channel * rows * columns + place : place * channels + channel;
        return most > least ? (255 * (numbers[at] - least)) / (most - least) : 0;
    };
    return canvasOf(rows, columns, label, (place) => [0, 1, 2].map((channel) => byte(place, Math.min(channel, channels - 1))).concat(255));
}
