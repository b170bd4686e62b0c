import { answerCalls } from './answer-calls.ts';

/** The code of the thread, which only `ParserPool` starts. */
answerCalls(() => import('../parsers.ts'));
