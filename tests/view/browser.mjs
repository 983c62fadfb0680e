// Chromium without a screen, for the page: it draws with the processor, and sends no requests of its own.
import {createRequire} from 'node:module';

const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
];

// playwright: the folder of playwright-core.
export function launch(playwright, executablePath) {
    const {chromium} = createRequire(import.meta.url)(playwright);
    return chromium.launch({executablePath, args});
}
