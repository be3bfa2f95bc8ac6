const byId = (id) => document.getElementById(id);
const token = location.hash.slice(1);
// The token is taken out of the address at once, so that the history does not keep it.
history.replaceState(null, '', location.pathname);

const showMessage = (text) => {
  byId('status').textContent = text;
};

const answers = new Map([
  [422, 'El enlace ya no sirve o la contraseña es demasiado fácil. Pida un enlace nuevo o elija otra contraseña.'],
  [429, 'Demasiados intentos seguidos. Espere unos minutos.'],
]);

// A recovery may follow a stolen password.
byId('revoke-line').hidden = !token.startsWith('acp_');

if (token === '') showMessage('Falta el enlace: abra de nuevo el que recibió por correo.');

byId('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const password = byId('password').value;
  if (password !== byId('again').value) return showMessage('Las contraseñas no coinciden.');
  if ([...password].length < 10) return showMessage('La contraseña necesita al menos 10 caracteres.');
  try {
    const answer = await fetch('/auth/establecer-clave', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, password, ...(byId('revoke').checked ? { revocar_claves: true } : {}) }),
    });
    if (answer.ok) byId('form').hidden = true;
    showMessage(
      answer.ok
        ? (await answer.json()).mensaje
        : (answers.get(answer.status) ?? 'No se pudo guardar. Inténtelo más tarde.'),
    );
  } catch {
    showMessage('No hay conexión con el servidor. Inténtelo de nuevo.');
  }
});
