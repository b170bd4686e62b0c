import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { GrowingBytes } from '../../../app/growing-bytes.ts';
import { MAX_BODY_BYTES } from '../routing/limits.ts';
import {
  MAX_PIECES_AT_ONCE,
  MAX_PIECES_OF_ALL_AT_ONCE,
  MAX_PIECES_WHEN_BUSY,
  MIN_PIECE_BYTES,
} from './limits.ts';

/** Pieces of bodies in this turn of the event loop: of all connections, and of the last one. */
const turn = { ofAll: 0, socket: undefined as Socket | undefined, pieces: 0, bytes: 0 };
/** What the turn's end undoes. */
let undone: (() => void)[] = [];

function endTurn(): void {
  Object.assign(turn, { ofAll: 0, socket: undefined });
  const last = undone;
  undone = [];
  for (const undo of last) undo();
}

/** Node reads up to 64 KB of a connection in one go, and calls for each chunk in it. */
function count(socket: Socket, bytes: number): void {
  if (turn.ofAll === 0) setImmediate(endTurn);
  if (turn.socket !== socket) Object.assign(turn, { socket, pieces: 0, bytes: 0 });
  turn.ofAll += 1;
  turn.pieces += 1;
  turn.bytes += bytes;
}

/**
 * A request whose body is kept in one buffer until all of it has arrived. Node keeps an object of
 * some 400 bytes for each piece, also while the request waits for earlier answers of its connection:
 * a body in pieces of one byte would take 28 MB.
 */
export class BufferedRequest extends IncomingMessage {
  /** Whether the body came in too many small pieces. Nothing that follows can be read. */
  isCut = false;
  #body: GrowingBytes | undefined;
  #isTooLarge = false;

  /** Called by the parser with each piece, and with null at the end. */
  override push(piece: Buffer | null): boolean {
    if (piece === null) {
      this.#release();
      return super.push(null);
    }
    if (this.#isTooLarge) return false;
    count(this.socket, piece.length);
    const isBusy = turn.ofAll > MAX_PIECES_OF_ALL_AT_ONCE;
    const isMany = turn.pieces > (isBusy ? MAX_PIECES_WHEN_BUSY : MAX_PIECES_AT_ONCE);
    this.isCut = isMany && turn.bytes < turn.pieces * MIN_PIECE_BYTES;
    if (this.isCut) dropBodies(this.socket);
    this.#body ??= new GrowingBytes(MAX_BODY_BYTES);
    if (!this.isCut && this.#body.add(piece)) return this.#mayGoOn();
    // Who reads the body refuses it for its last part. The rest is dropped.
    this.#isTooLarge = true;
    this.#release();
    super.push(piece);
    return false;
  }

  /** After many pieces the other connections come first. */
  #mayGoOn(): boolean {
    if (turn.pieces === MAX_PIECES_AT_ONCE) undone.push(() => this._read(0));
    return turn.pieces < MAX_PIECES_AT_ONCE;
  }

  #release(): void {
    const bytes = this.#body?.toBytes();
    this.#body = undefined;
    if (bytes !== undefined && bytes.length > 0) super.push(bytes);
  }
}

/** Node's parser, which calls the function at the place `kOnBody` with each piece. */
interface BodyParser {
  readonly constructor: { readonly kOnBody?: number };
  [place: number]: unknown;
}

/**
 * Spares the calls for the rest of the turn. Nothing stops the parser within what it has read, but
 * without a function it calls none. The cast is safe: Node sets the parser of a server's socket.
 */
function dropBodies(socket: Socket): void {
  const { parser } = socket as Socket & { readonly parser?: BodyParser };
  const place = parser?.constructor.kOnBody;
  if (parser === undefined || place === undefined) return;
  const called = parser[place];
  parser[place] = undefined;
  undone.push(() => {
    parser[place] = called;
  });
}
