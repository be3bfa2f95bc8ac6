/** Words of offices that say the same, in Spanish and in English: a sentence may use one for another. */
export const SYNONYMS = `
pagar pago abonar abono liquidar satisfacer desembolsar pagadero pay payment payable settle
cobrar cobro percibir charge collect
renta alquiler alquilar arrendamiento rent rental lease
inquilino arrendatario tenant lessee
arrendador casero landlord lessor
propietario dueño titular owner proprietor
empleado trabajador personal plantilla asalariado employee staff worker personnel
empresa compañia sociedad entidad company firm business corporation
jefe responsable encargado supervisor superior manager head boss lead
director directora dirigir direccion direct lead
nombrar designar elegir nombramiento designacion appoint designate elect appointment name
sustituir reemplazar relevar sustitucion reemplazo replace substitute replacement
dimitir renunciar cesar dimision renuncia resign resignation quit
jubilar jubilacion retirar retire retirement
contratar contratacion emplear hire recruit employ
despedir despido rescindir extinguir resolver terminar extincion rescision dismiss terminate end termination cancel
contrato acuerdo convenio pacto contract agreement
firmar firma suscribir rubricar sign signature
aprobar aprobacion ratificar refrendar aceptar approve approval ratify accept acceptance endorse
autorizar autorizacion permiso consentimiento permitir admitir consentir poder authorise authorize authorisation permission consent permit allow admit accept let
solicitar solicitud pedir peticion requerir reclamar request apply application ask claim
necesitar requerir exigir obligatorio necesario imprescindible preciso deber hacer need require must compulsory mandatory obligatory necessary requirement
entregar entrega suministrar suministro proveer facilitar proporcionar dar repartir deliver delivery supply provide give hand
recibir recepcion recepcionar receive receipt
enviar envio remitir mandar trasladar send dispatch submit forward
presentar presentacion aportar submit present file lodge
comprar compra adquirir adquisicion buy purchase acquire purchasing
vender venta enajenar sell sale
proveedor suministrador supplier vendor provider
cliente consumidor usuario customer client user
precio coste importe cuantia cantidad monto tarifa ascender costar valer price cost amount sum fee rate
presupuesto budget estimate
gasto desembolso expense expenditure spending cost
ingreso ingresos recaudacion income revenue takings
beneficio ganancia excedente profit surplus gain
perdida perder deficit loss lose
deuda adeudar debt owe due
factura facturar facturacion invoice bill billing
cuota plazo mensualidad instalment installment quota
fianza deposito deposit bond
devolver devuelto devolucion reembolsar reembolso reintegrar restituir reembolsable return refund reimburse reimbursement give
multa sancion penalizacion penalizar fine penalty penalise sanction
prestamo credito loan credit lend
interes tipo interest rate
comision recargo fee commission surcharge charge
impuesto tributo iva tax vat duty
sueldo salario nomina remuneracion retribucion paga salary wage pay payroll remuneration
vacaciones descanso holiday holidays leave vacation
baja incapacidad enfermedad ausencia sick sickness leave absence
jornada horario turno shift schedule hours timetable
reunion sesion junta asamblea meeting session assembly
junta consejo comite comision directiva board council committee
acta minuta minutes record
votar voto votacion vote ballot
convocar convocatoria citar call convene summon
celebrar tener realizar lugar hacer efectuar llevar hold take place perform carry conduct make do
empezar comenzar iniciar inicio comienzo arrancar start begin commence beginning launch
terminar acabar finalizar concluir finalizacion fin vencer expirar vencimiento caducar finish end conclude complete completion close expire expiry due
durar duracion vigencia prolongar last duration term run
prorrogar prorroga ampliar extender renovar renovacion extend extension renew renewal prolong
plazo periodo tiempo termino period time term deadline limit
fecha dia date day
comunicar comunicacion avisar aviso notificar notificacion informar preaviso notify notice inform notification report communicate announce
publicar publicacion difundir anunciar publish publication post announce
informe reporte memoria report statement
documento escrito document paper
copia duplicado copy duplicate
archivo fichero expediente file folder archive
conservar guardar almacenar custodiar mantener conservacion keep store retain preserve maintain hold
borrar eliminar suprimir destruir delete erase remove destroy
cambiar modificar alterar variar cambio modificacion change modify alter amend amendment
revisar examinar comprobar verificar inspeccionar revision inspeccion examen review examine check verify inspect inspection audit
detectar encontrar hallar descubrir localizar observar find detect discover identify
reparar arreglar reparacion arreglo subsanar repair fix mend correct
mantener mantenimiento conservar maintain maintenance upkeep service
instalar instalacion montar montaje colocar install installation mount fit assemble
averia fallo error incidencia defecto rotura romper roto fallar fault failure defect breakdown fail break incident
causa motivo razon deber originar provocar causar porque explicar cause reason because due explain result
daño desperfecto perjuicio dañar damage harm
accidente siniestro accident incident claim
seguro poliza aseguradora asegurar insurance policy insurer insure
cubrir cubierto cobertura incluir abarcar comprender cover coverage include comprise contain
robo hurto sustraccion theft burglary steal
incendio fuego fire
agua inundacion water flood flooding
edificio inmueble construccion building property premises
vivienda piso casa domicilio flat apartment house home dwelling
oficina despacho sede office premises
almacen deposito nave warehouse depot store
sala aula habitacion cuarto room hall
planta piso nivel floor storey level
calle avenida street avenue road
coche vehiculo automovil turismo car vehicle
viaje desplazamiento viajar trip travel journey
ordenador portatil equipo computadora computer laptop equipment
contraseña clave password passcode
cuenta account
correo email mail
copia respaldo backup
servidor server
formacion curso capacitacion formar impartir training course train teach
profesor docente maestro impartir enseñar dar teacher instructor trainer teach
alumno estudiante participante asistente pupil student participant attendee trainee
asistir acudir participar asistencia attend participate attendance
inscribir inscripcion registrar registro matricular alta register registration enrol enroll enrolment sign
plaza puesto vacante place post position vacancy seat
candidato aspirante solicitante candidate applicant
subvencion ayuda beca grant subsidy aid scholarship
concurso licitacion oferta tender bid offer
obra obras trabajo construccion work works job construction
trabajar laborar teletrabajar teletrabajo work telework
limite maximo tope techo hasta limit maximum cap ceiling most
minimo menos least minimum
total suma conjunto total sum overall
aumentar subir crecer incrementar aumento subida incremento crecimiento ascender increase rise grow growth raise climb
disminuir bajar descender reducir reduccion descenso bajada caer caida recortar decrease fall drop reduce reduction decline cut
mes mensual mensualmente month monthly
año anual anualmente year annual yearly
semana semanal semanalmente week weekly
dia diario diariamente day daily
abrir abierto apertura open opening
bloquear bloqueo lock block
compartir ceder revelar share disclose
llevar portar usar utilizar emplear vestir wear carry use
entrar acceder acceso entrada ingresar enter access entry entrance
salir salida abandonar leave exit departure
visitante visita visitor visit guest
seguridad proteccion security safety protection
riesgo peligro risk danger hazard
medico doctor facultativo doctor physician medical dr
ayuntamiento municipio municipal consistorio council municipality municipal
socio miembro asociado member partner associate
vecino residente resident neighbour neighbor
persona individuo person people individual
tratar procesar tratamiento procesamiento process handle treat processing
dato informacion data information
necesidad falta need
opinar opinion considerar opinion consider believe
recomendar recomendacion aconsejar sugerir proponer propuesto propuesta recommend recommendation advise suggest propose
decidir decision acordar resolver resuelto resolucion decide decision resolve resolution agree
responder contestar respuesta answer reply respond response
ley norma reglamento normativa law rule regulation
uso utilizacion empleo use usage
gratis gratuito free
diferencia distinto diferente difference different
mitad medio half
entrega llave key handover
retraso demora tarde retrasar atraso delay late overdue
pronto temprano early
rapido urgente fast quick urgent
gestionar gestion tramitar tramite administrar manage management handle process administer
equipo maquina maquinaria aparato dispositivo equipment machine machinery device
energia electricidad electrico luz energy electricity electric power
consumo consumir consumption consume
calidad quality
medio ambiente environment
limpieza limpiar cleaning clean
comida menu almuerzo comedor lunch meal canteen food
valorar evaluar puntuar valoracion evaluacion evaluate assess score assessment evaluation value
estimar estimado calcular estimate estimated calculate
superar exceder rebasar superior mas exceed over more above
dividir repartir distribuir divide split distribute share
mostrar indicar señalar figurar constar show indicate state
lugar sitio ubicacion place site location
cerca proximo near close
parte porcion part share portion
grupo group
quedar resultar permanecer seguir remain stay
suspender interrumpir parar suspension interrupcion suspend interrupt stop pause
reanudar restablecer recuperar restore resume recover
cancelar anular cancelacion anulacion cancel annul cancellation void
`;

/** Words that deny what another word states: `excluido` is `no incluido`. */
export const DENIALS = `
excluir excluido exclusion exclude exclusion : cubrir
prohibir prohibido prohibicion forbid forbidden prohibit prohibition ban : permitir
rechazar rechazo denegar desestimar reject rejection refuse refusal deny denied decline : aceptar
carecer lack lacking missing : tener
impedir prevent : permitir
incumplir incumplimiento breach : cumplir
invalido nulo invalid void null : valido
ilegal unlawful illegal : legal
imposible unable impossible : posible
gratis gratuito free : coste
`;

/** Words that contradict each other: a sentence with one is not supported by a text with the other alone. */
export const CONTRASTS = `
antes before earlier anterior|despues tras after later posterior
maximo hasta maximum most limite tope menos inferior less fewer below under|minimo minimum least mas superior more above over exceed exceder superar
aumentar crecer incrementar aumento incremento crecimiento increase grow grew growth|disminuir descender reducir reduccion descenso decrease reduce reduction decline
favor|contra against
comprador buyer purchaser|vendedor seller
arrendador landlord lessor casero propietario owner|arrendatario inquilino tenant lessee
bruto gross|neto net
norte north northern|sur south southern|oriental east eastern|oeste occidental west western
izquierda left|derecha right
primero primer primera first|ultimo ultima last
interno interna internal|externo externa external
publico publica public|privado privada private
obligatorio obligatoria mandatory compulsory obligatory|voluntario opcional optional voluntary
temporal temporary|permanente indefinido permanent
primavera spring|verano summer|otoño autumn|invierno winter
diario daily|semanal weekly|mensual monthly|trimestral quarterly|anual annual yearly
ganar beneficio profit surplus excedente|perder perdida loss deficit
fijo fixed|variable
alta high|baja low
upper|lower
front|back rear
nuevo nueva new|antiguo antigua viejo vieja old
morning mañana|tarde afternoon evening|noche night
adulto adult|niño menor child
ordinario ordinaria ordinary|extraordinario extraordinaria extraordinary
nacional national|internacional international
provisional|definitivo definitiva final
entrada entrance entry|salida exit
ingreso income revenue|gasto expense expenditure
urbano urban|rural
positivo positive|negativo negative
abrir abierto apertura open opening|cerrar cerrado cierre close closed closure
`;

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Words that agree with an earlier negation of their clause, as in `no ... nunca`; folded. */
export const AGREEING = words(`
  nunca jamas nadie nada ningun ninguno ninguna ningunos ningunas ni tampoco nor
  mai ningu nem nenhum nenhuma nada ninguem pas jamais aucun aucune rien mai nessuno nessuna ninguen ningunha inor`);
/** Words that name what is excepted. */
export const EXCEPTING = words(`
  sin without salvo excepto except unless sense sem exceto sans sauf senza tranne ohne ausser sen gabe`);
/** Words that deny. */
export const DENYING: ReadonlySet<string> = new Set([
  ...EXCEPTING,
  ...words(
    'no not never none nobody nothing neither fuera nao non ne n nicht kein keine keinen keiner nie niemand ez ezin',
  ),
]);
