/** How people say what the handbook says. */
interface Wording {
  /** Words of questions that say nothing of a subject. */
  readonly fillers: string;
  /** Words of the handbook, each with what people say instead: phrases between commas. */
  readonly spoken: Readonly<Record<string, string>>;
}

export const wordings: Readonly<Record<'es' | 'en', Wording>> = {
  es: {
    fillers: `hago hacer hace haces pasa pasar ocurre sucede sale salir aparece aparecer dar das quiere decir puedo puede puedes pueden
      pueda podría quiero quería necesito debo debería tengo tienes tiene tienen hay existe existen forma manera modo
      recibo recibes recibe doy dais ayúdame explica explícame dime dónde cuándo cuánto cuánta cuántos cuántas cada vez veces
      tiempo ahora ya aquí antiguo antigua viejo vieja nuevo nueva mismo mano sitio lugar parte otro otra otros
      otras alguna alguno favor gracias hola solo solamente acabo acabado intento intentar sirve lleva 
      todavía siempre nunca`,
    spoken: {
      borrar: 'eliminar, elimino, suprimir, quitar documento',
      conversación: 'chat, chats, charla, diálogo, hilo',
      fichero: 'archivo, archivos',
      documento: 'expediente',
      persona: 'usuario, usuarios, compañero, compañera, colega, equipo',
      contraseña: 'password, clave de acceso, palabra clave',
      'segundo factor': 'doble factor, 2FA, MFA, factores, verificación pasos',
      conectar: 'integro, integrar, enganchar',
      carpeta: 'directorio, folder, carpetas',
      entero: 'completo, íntegro, texto completo',
      limitar: 'filtrar, filtro, filtra, acotar, acoto, restringir',
      buscar: 'localizar, hallar',
      encontrar: 'extraer, extraigo',
      adelantar: 'priorizar, priorizo',
      excluir: 'excluyo, ignorar, ignoro, omitir',
      descargar: 'descarga',
      soltar: 'suelto, suelta, liberar, libero, quitar foco, quito foco, desfijar',
      caducado: 'obsoleto',
      refrescar: 'actualizar, actualizo, poner al día',
      combinar: 'unir, uno, juntar, mezclar, fusionar, componer',
      leer: 'abrir fichero, procesar fichero',
      enviar: 'mandar',
      cuota: 'límite del plan',
      'error 402': '402',
      'error 403': '403',
      'error 404': '404',
      'error 401': '401',
      'error 409': '409',
      'error 422': '422',
      'error 429': '429',
      significa: 'quiere decir, significado',
      preview_token: 'token vista previa, testigo vista previa',
    },
  },
  en: {
    fillers: `do does did happen happens get gets getting got can could may might want wanted need needs should would must
      am is are without way tell explain please thanks hello there here now then how often long many much often one only just
      old new own someone anyone something anything make made let lets
      possible allowed always never ever yet still try trying`,
    spoken: {
      delete: 'remove, erase, get rid, drop document',
      conversation: 'chat, chats, thread, dialogue',
      person: 'user, users, people, colleague, coworker, team, teammate',
      password: 'passphrase',
      forget: 'forgot, forgotten',
      'second factor': 'two factor, two factor authentication, factor authentication, 2FA, MFA',
      connect: 'hook, integrate, link agent, authenticate',
      folder: 'directory',
      whole: 'full, entire, complete, full text, complete text',
      limit: 'narrow, filter, restrict',
      exclude: 'ignore, skip',
      release: 'clear, unpin, drop focus',
      restore: 'undelete, recover, undo deletion, undo delete',
      create: 'define, set space',
      'API key': 'API token, access token',
      private: 'confidential',
      minute: 'per minute',
      'error 401': '401',
      'error 402': '402',
      'error 403': '403',
      'error 404': '404',
      'error 409': '409',
      'error 422': '422',
      'error 429': '429',
      preview_token: 'preview token',
    },
  },
};
