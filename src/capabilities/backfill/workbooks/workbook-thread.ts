import { answerCalls } from '../../../core/sources/parser/answer-calls.ts';

/** The code of the thread for workbooks: their library is large. */
answerCalls(() => import('./bcv-archive-parser.ts'));
