import { IncomingMessage } from 'node:http';
import { GrowingBytes } from '../../app/growing-bytes.ts';
import { MAX_BODY_BYTES } from '../routing/limits.ts';
import { MAX_PIECES_AT_ONCE } from './limits.ts';

/**
 * A request whose body is kept in one buffer until all of it has arrived. Node keeps an object of
 * some 400 bytes for each piece, also while the request waits for earlier answers of its connection:
 * a body in pieces of one byte would take 28 MB.
 */
export class BufferedRequest extends IncomingMessage {
  #body: GrowingBytes | undefined;
  #isTooLarge = false;
  /** Pieces since other connections had their turn. */
  #pieces = 0;

  /** Called by the parser with each piece, and with null at the end. */
  override push(piece: Buffer | null): boolean {
    if (piece === null) {
      this.#release();
      return super.push(null);
    }
    if (this.#isTooLarge) return false;
    this.#body ??= new GrowingBytes(MAX_BODY_BYTES);
    if (this.#body.add(piece)) return this.#mayGoOn();
    // Who reads the body refuses it for these two parts. The rest is dropped.
    this.#isTooLarge = true;
    this.#release();
    return super.push(piece);
  }

  /** Node reads up to 2 MB of one connection at once. After many pieces the others come first. */
  #mayGoOn(): boolean {
    this.#pieces += 1;
    if (this.#pieces < MAX_PIECES_AT_ONCE) return true;
    if (this.#pieces === MAX_PIECES_AT_ONCE) {
      setImmediate(() => {
        this.#pieces = 0;
        this._read(0);
      });
    }
    return false;
  }

  #release(): void {
    const bytes = this.#body?.toBytes();
    this.#body = undefined;
    if (bytes !== undefined && bytes.length > 0) super.push(bytes);
  }
}
