import { parseEvidenceId } from '../../../core/app/evidence.ts';
import { serviceState } from '../../../core/app/service-state.ts';
import { ERRORS } from '../../../core/domain/errors/error-codes.ts';
import { knownOf, stateView } from '../../../core/http/endpoints/state-view.ts';
import { STATUS_MAX_AGE_SEC, StatusBodies } from '../../../core/http/endpoints/status.ts';
import type { Page } from '../../../core/http/pipeline/route.ts';
import type { Services } from '../../../core/http/pipeline/services.ts';
import { statusPage, unknownStatusPage } from '../status/status-page.ts';
import { htmlAnswer, languageView, type Site } from './html-pages.ts';

/** `/v1/status` as a page for people. */
export function liveStatusPage(
  {
    watch,
    markets,
    snapshots,
    monitor,
  }: Pick<Services, 'watch' | 'markets' | 'snapshots' | 'monitor'>,
  site: () => Site,
): Page {
  const bodies = new StatusBodies();
  return {
    path: '/status',
    async respond(request) {
      const view = languageView(request, site());
      const { language, languageChosen } = view;
      const { now } = request;
      const known = await knownOf(watch);
      if (known === undefined) {
        const answer = htmlAnswer(view, () => unknownStatusPage(view), {
          cacheControl: 'no-store',
        });
        return { ...answer, status: ERRORS.service_unavailable.status };
      }
      const { health, at: checkedAt } = known;
      const marketName = (id: string) => {
        const market = markets.find(id);
        return (language === 'en' ? market?.nameEn : market?.name) ?? id;
      };
      const readAt = (id: string) => {
        const quote = snapshots.at(now).quotes.find(({ market }) => market.id === id);
        return parseEvidenceId(quote?.evidence ?? '')?.capturedAt;
      };
      const basis = { known, snapshot: snapshots.at(now), database: monitor.condition, now };
      const body = bodies.of(basis, `${language} ${languageChosen}`, () =>
        statusPage(view, {
          ...health,
          state: stateView(serviceState(basis)),
          inDoubt: basis.snapshot.inDoubt.map(({ market }) => market.id),
          frozen: basis.snapshot.frozen.map(({ market }) => market.id),
          doubtful: basis.snapshot.doubtful,
          checkedAt,
          now,
          marketName,
          readAt,
        }),
      );
      return htmlAnswer(view, body, { cacheControl: `public, max-age=${STATUS_MAX_AGE_SEC}` });
    },
  };
}
