// Files as blocks of equal size, which come in any order: what downloads and the cache have in common.

/** Bytes of a block; the last of a file may have fewer. */
export const BLOCK = 4 << 20;

/** Blocks that are at hand because they were just read: constants lie side by side, and share blocks. */
const AT_HAND = 4;

/** Bytes that are hashed at once. They are copied into the module's memory, which never shrinks. */
const PIECE = 1 << 20;

/** Goes on with a hash by bytes that may be many: some browsers give all that has come in one piece. */
export function hashPieces(hash, bytes) {
    for (let at = 0; at < bytes.length; at += PIECE) hash.update(bytes.subarray(at, at + PIECE));
}

/** A file that `block(index)` gives the blocks of. */
export class BlockReader {
    #block;
    #recent = new Map();

    constructor(name, size, block) {
        this.name = name;
        this.size = size;
        this.#block = block;
    }

    async read(start, end) {
        const bytes = new Uint8Array(end - start);
        for (let index = Math.floor(start / BLOCK); index * BLOCK < end; index++) {
            const block = await this.#at(index);
            const offset = index * BLOCK;
            const from = Math.max(start, offset);
            const to = Math.min(end, offset + block.length);
            bytes.set(block.subarray(from - offset, to - offset), from - start);
        }
        return bytes;
    }

    #at(index) {
        let block = this.#recent.get(index);
        if (block === undefined) {
            block = this.#block(index);
            this.#recent.set(index, block);
            block.catch(() => this.#recent.delete(index));
            if (this.#recent.size > AT_HAND) this.#recent.delete(this.#recent.keys().next().value);
        }
        return block;
    }
}

/** Makes blocks of pieces that come one after the other; `put` gets each whole block. */
export class Blocker {
    #block = new Uint8Array(BLOCK);
    #filled = 0;
    #put;

    /** `index` is the first block's number. */
    constructor(index, put) {
        this.index = index;
        this.#put = put;
    }

    /** Bytes before the next that is expected. */
    get position() {
        return this.index * BLOCK + this.#filled;
    }

    async push(bytes) {
        while (bytes.length > 0) {
            const taken = bytes.subarray(0, BLOCK - this.#filled);
            this.#block.set(taken, this.#filled);
            this.#filled += taken.length;
            bytes = bytes.subarray(taken.length);
            if (this.#filled === BLOCK) await this.#flush();
        }
    }

    /** Puts what is left. */
    async end() {
        if (this.#filled > 0) await this.#flush();
    }

    async #flush() {
        const block = this.#block.subarray(0, this.#filled);
        this.#block = new Uint8Array(BLOCK);
        this.#filled = 0;
        await this.#put(this.index++, block);
    }
}
