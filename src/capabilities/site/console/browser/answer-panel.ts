import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Html, html, inlineCode } from '../../../../core/http/framework/encoding/html.ts';
import { countText } from '../../frame/format.ts';
import { Segments } from '../../frame/segments.ts';
import {
  CODE_KINDS,
  CODE_NAMES,
  type CodeKind,
  type SampledRequest,
  sampleOf,
} from '../../text/samples.ts';
import { filled } from '../console-data.ts';
import type { AnsweredError } from '../failures.ts';
import { coloured } from '../highlight.ts';
import { MAX_SHOWN_ANSWER, shownAnswer } from '../playground.ts';
import type { TriedAnswer } from './api-exchange.ts';
import { CodeBlock } from './code-block.ts';
import { useConsole } from './console-context.ts';
import { withStorage } from './console-session.ts';

/** What became of the last request. */
export interface Tried {
  readonly isSending?: boolean;
  readonly answer?: TriedAnswer;
  readonly error?: AnsweredError | undefined;
  /** The form has changed since. */
  readonly isOld?: boolean;
  /** There was no answer. */
  readonly failure?: string;
}

/** The documentation keeps the reader's choice too, for all pages. */
const KEPT = 'vesfx-code';

interface AnswerProps {
  readonly tried: Tried;
  readonly request: Omit<SampledRequest, 'key'>;
}

/** The answer, and below it the same request as code. */
export function AnswerPanel({ tried, request }: AnswerProps): Html {
  const { texts, key: own } = useConsole();
  const [kind, setKind] = useState(() => {
    const kept = withStorage(() => localStorage.getItem(KEPT));
    return CODE_KINDS.find((one) => one === kept) ?? 'sh';
  });
  const choose = (next: CodeKind) => {
    setKind(next);
    withStorage(() => localStorage.setItem(KEPT, next));
  };
  const [withKey, setWithKey] = useState(false);
  const key = withKey ? own.current : undefined;
  const tabs = h(Segments<typeof kind>, {
    ...{ name: 'sample-kind', label: texts.asCode, value: kind, onChoose: choose, look: 'lines' },
    choices: CODE_KINDS.map((value) => ({ value, text: CODE_NAMES[value] })),
  });
  return html`<div class="answer">${h(Answer, tried)}
<div class="as-code"><h2 class="unseen">${texts.asCode}</h2>
${h(CodeBlock, { ...{ id: 'sample', name: texts.asCode, copy: texts.copyCode, tabs }, children: coloured(sampleOf(kind, { ...request, key })) })}
<label class="tick"><input type="checkbox" checked=${withKey} onChange=${() => setWithKey(!withKey)} /> ${texts.withKey}</label></div></div>`;
}

function Answer({ isSending, answer, error, failure, isOld }: Tried): Html {
  const { texts, language, plansAddress } = useConsole();
  const [part, setPart] = useState<'body' | 'headers'>('body');
  const heading = useRef<HTMLElement>(null);
  // On a phone it is below the form, out of view: the focus scrolls there.
  useEffect(() => {
    if ((answer ?? failure) !== undefined) heading.current?.focus();
  }, [answer, failure]);
  if (answer === undefined) {
    const said = failure ?? (isSending ? texts.sending : texts.noAnswerYet);
    return html`<div id="tried" class="waiting"><p tabindex="-1" ref=${heading} role=${failure === undefined ? 'status' : 'alert'} class=${failure && 'failed'}>${said}</p></div>`;
  }
  const { response, durationMs } = answer;
  const { status, statusText, headers } = response;
  const text = shownAnswer(answer.body);
  const hasLines = /csv|xml/.test(headers.get('content-type') ?? '');
  const cost = headers.get('x-ratelimit-cost');
  const shown =
    part === 'headers'
      ? [...headers].map(([name, value]) => `${name}: ${value}`).join('\n')
      : text &&
        (hasLines ? text.slice(0, MAX_SHOWN_ANSWER) : coloured(text.slice(0, MAX_SHOWN_ANSWER)));
  const tabs = h(Segments<typeof part>, {
    ...{ name: 'answer-part', label: texts.answer, value: part, onChoose: setPart, look: 'lines' },
    choices: [
      { value: 'body', text: texts.answer },
      { value: 'headers', text: texts.headers },
    ],
  });
  return html`<div id="tried" class="${hasLines ? 'rows' : ''}${isOld ? ' old' : ''}"><div class="top"><h2 tabindex="-1" ref=${heading}><span class="unseen">${texts.answer}: </span><span class=${status < 400 ? 'ok' : 'failed'}>${status} ${statusText}</span></h2><span>${countText(durationMs, language)} ms</span>${cost && html`<span>${filled(cost === '1' ? texts.unit : texts.unitsN, { n: cost })}</span>`}${isOld && html`<strong>${texts.ofBefore}</strong>`}</div>
${error?.meaning !== undefined && html`<p class="meaning" role="alert">${inlineCode(error.meaning)}</p>`}
${error?.plan && html`<p class="meaning">${filled(texts.fromPlan, { plan: error.plan })} <a href=${plansAddress}>${texts.comparePlans}</a></p>`}
${h(CodeBlock, { name: part === 'body' ? texts.answer : texts.headers, copy: texts.copyAnswer, tabs, children: shown })}
${part === 'body' && text.length > MAX_SHOWN_ANSWER && html`<p class="cut">${filled(texts.cut, { n: String(MAX_SHOWN_ANSWER) })}</p>`}</div>`;
}
