import type { FunctionContent } from './shape';

export const manageUsers: FunctionContent = {
  code: 'MANAGE_USERS',
  name: 'Gestión de usuarios',
  alias: 'Usuarios',
  description: 'Alta, baja y permisos de las personas que trabajan en el grupo.',
  summary:
    'Aquí el administrador invita a nuevas personas, corrige sus datos y decide qué papel desempeña cada una. También reparte las entidades y áreas a las que llega cada cuenta. Antes de borrar a alguien, la pantalla cuenta lo que desaparecería con su cuenta.',
  url: '/administracion/usuarios',
  sections: [
    {
      title: 'Lista de personas',
      text: 'La tabla muestra a quienes tienen este grupo como propio, con su correo, su estado y su rol principal. El buscador compara lo escrito con el nombre y con el correo, sin distinguir mayúsculas.',
    },
    {
      title: 'Ficha de la persona',
      text: 'La ficha reúne el nombre, el estado de la cuenta, los roles en su orden y las entidades asignadas. El primer rol de la lista es el principal: con él se abre la sesión.\n\nUna entidad puede concederse entera o limitada a una de sus áreas; en ese caso la persona solo alcanza las carpetas de esa área.',
    },
    {
      title: 'Baja definitiva',
      text: 'Borrar una cuenta elimina sus sesiones, sus claves de API y sus permisos, y no puede deshacerse. Las cuentas que tienen un rol protegido no se pueden borrar mientras lo conserven.',
    },
  ],
  behaviours: [
    {
      class: 'NAVEGACION',
      section: 'Lista de personas',
      text: 'Al entrar se carga la primera página de personas del grupo activo, ordenadas por nombre.',
      operations: ['users.list'],
    },
    {
      class: 'INTERACCION',
      section: 'Lista de personas',
      text: 'Al escribir en el buscador de personas, la tabla se reduce a las que coinciden y vuelve a su primera página.',
      operations: ['users.list'],
    },
    {
      class: 'INTERACCION',
      section: 'Ficha de la persona',
      text: 'Arrastrar un rol hacia arriba en la ficha lo adelanta; al soltarlo en primer lugar pasa a ser el principal.',
      operations: ['users.reorder_roles'],
    },
    {
      class: 'INTERACCION',
      section: 'Baja definitiva',
      text: 'El botón de borrar abre el recuento de dependencias y no elimina nada hasta que se confirma.',
      operations: ['users.delete'],
    },
    {
      class: 'SEGUNDO_PLANO',
      section: 'Ficha de la persona',
      text: 'Si la cuenta se crea sin contraseña, el servicio envía por correo una invitación para que la persona la establezca.',
      operations: ['users.create'],
    },
    {
      class: 'RECUPERACION',
      section: 'Ficha de la persona',
      text: 'Cuando una invitación caduca sin usarse, la cuenta sigue pendiente y basta con reenviarla desde la ficha.',
    },
  ],
};
