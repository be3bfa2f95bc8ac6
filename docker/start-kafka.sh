#!/bin/sh
# start-kafka.sh LISTENERS: a broker and controller in one, whose clients log in over TLS by SCRAM. `acervo` may do
# everything, and migrate logs in as it; each service has a user of its own, with the rights that migrate gives it.
# LISTENERS are the addresses that it tells its clients. Runs in the container of compose.yaml.
set -eu
umask 077
data=/var/lib/kafka/data
password=$(cat /run/secrets/kafka)
properties=/tmp/server.properties
login='org.apache.kafka.common.security.scram.ScramLoginModule required'
cat >"$properties" <<PROPERTIES
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@localhost:9093
listeners=CLIENTS://:9092,SERVICES://:19092,CONTROLLER://localhost:9093
advertised.listeners=$1
listener.security.protocol.map=CLIENTS:SASL_SSL,SERVICES:SASL_SSL,CONTROLLER:SSL
inter.broker.listener.name=SERVICES
controller.listener.names=CONTROLLER
sasl.enabled.mechanisms=SCRAM-SHA-512
sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
listener.name.services.scram-sha-512.sasl.jaas.config=$login username="acervo" password="$password";
listener.name.clients.scram-sha-512.sasl.jaas.config=$login username="acervo" password="$password";
listener.name.controller.ssl.client.auth=required
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:acervo;User:CN=Acervo engines
ssl.keystore.type=PEM
ssl.keystore.location=/run/secrets/tls_keystore
ssl.truststore.type=PEM
ssl.truststore.location=/run/secrets/tls_ca
log.dirs=$data
auto.create.topics.enable=false
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
PROPERTIES

if [ ! -e "$data/meta.properties" ]; then
  # Java reads the passwords from a file, not from its arguments.
  {
    echo "-cp \"/opt/kafka/libs/*\" kafka.tools.StorageTool format -t acervoStackOneNodeOnly -c $properties"
    echo "--add-scram \"SCRAM-SHA-512=[name=acervo,password=$password]\""
    for file in /run/secrets/kafka_*; do
      echo "--add-scram \"SCRAM-SHA-512=[name=${file##*/kafka_},password=$(cat "$file")]\""
    done
  } >/tmp/format
  java @/tmp/format
  rm /tmp/format
fi
exec /opt/kafka/bin/kafka-server-start.sh "$properties"
