import { useRef, useState } from 'preact/hooks';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { type ChartView, nearestDay, pinched, spanBetween } from '../history/chart-view.ts';
import type { Frame } from './plots.ts';

interface FingersParts {
  readonly last: number;
  readonly view: ChartView;
  readonly frame: Frame | undefined;
  readonly onView: (change: (view: ChartView) => ChartView) => void;
}

interface Drag {
  readonly one: number;
  readonly other: number;
}

/**
 * A mouse or one finger reads the day under it. A mouse that drags, and two fingers, zoom. The
 * stylesheet leaves a slide up or down to the page.
 */
export function useFingers({ last, view, frame, onView }: FingersParts) {
  const [drag, setDrag] = useState<Drag>();
  /** The place of each finger as a share of the width, and the day under it when the last came. */
  const fingers = useRef(new Map<number, { place: number; day: number }>());
  const placeOf = ({ currentTarget, clientX }: PointerEvent): number => {
    if (frame === undefined || !(currentTarget instanceof Element)) return 0;
    const left = clientX - currentTarget.getBoundingClientRect().left - frame.box.left;
    return Math.min(1, Math.max(0, left / frame.box.width));
  };
  const dayAt = (place: number) => view.from + place * (view.to - view.from);
  const read = (day: number | undefined) =>
    onView(({ from, to }) => ({
      ...{ from, to },
      at: day === undefined ? undefined : Math.min(last, Math.max(0, nearestDay(day))),
    }));
  const end = ({ pointerId }: PointerEvent) => {
    fingers.current.delete(pointerId);
    if (drag === undefined) return;
    setDrag(undefined);
    onView((before) => spanBetween(drag.one, drag.other, last) ?? before);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      const place = placeOf(event);
      const day = dayAt(place);
      if (event.pointerType !== 'touch') {
        if (event.button !== 0) return;
        if (event.currentTarget instanceof Element) {
          event.currentTarget.setPointerCapture(event.pointerId);
        }
        setDrag({ one: day, other: day });
        return;
      }
      for (const finger of fingers.current.values()) finger.day = dayAt(finger.place);
      fingers.current.set(event.pointerId, { place, day });
      if (fingers.current.size === 1) read(day);
    },
    onPointerMove: (event: PointerEvent) => {
      const place = placeOf(event);
      const day = dayAt(place);
      const finger = fingers.current.get(event.pointerId);
      if (finger !== undefined) finger.place = place;
      const [one, other] = fingers.current.values();
      if (one !== undefined && other !== undefined) {
        const pinch = {
          days: [one.day, other.day],
          places: [one.place, other.place],
        } as const;
        onView((before) => pinched(before, pinch, last));
        return;
      }
      if (drag !== undefined) setDrag({ ...drag, other: day });
      read(day);
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: ({ pointerType }: PointerEvent) => {
      // What a finger read stays in sight after it.
      if (pointerType !== 'touch' && drag === undefined) read(undefined);
    },
  };
  return { handlers, drag };
}

/** The days between which the mouse drags. */
export function Selection({ one, other, frame }: Drag & { readonly frame: Frame }): Html {
  const [left, right] = [frame.x(Math.min(one, other)), frame.x(Math.max(one, other))];
  return html`<div class="selection" style=${{ left: `${left}px`, width: `${right - left}px` }}></div>`;
}
