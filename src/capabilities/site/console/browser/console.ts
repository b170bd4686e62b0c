import { h, hydrate } from 'preact';
import { element } from '../../frame/browser/elements.ts';
import { CONSOLE_DATA_ID, CONSOLE_ID, type ConsoleData } from '../console-data.ts';
import { ConsoleApp } from './console-app.ts';

/** The console continues the form that the service wrote. The service writes the data from this type. */
const data = JSON.parse(element(CONSOLE_DATA_ID, HTMLElement).textContent ?? '') as ConsoleData;
const place = element(CONSOLE_ID, HTMLElement);
hydrate(h(ConsoleApp, { data }), place);
place.dataset['ready'] = '';
