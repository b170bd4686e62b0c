import { bundleIfPossible } from './bundle.ts';
import { makeClientPackageIfPossible } from './client-package.ts';
import { writeClientTypes } from './client-types.ts';

/* Writes what git does not keep, after `npm ci`. The console's script has the client's methods within. */

writeClientTypes();
await bundleIfPossible();
makeClientPackageIfPossible();
