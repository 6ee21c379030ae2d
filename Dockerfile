# An image of a release: mvn -Pdist package && docker build -t ulfm:0.2.0-SNAPSHOT .
# Runs mpiexec, and is a host for the mpiexec of another container by the sshd in it (docs/use/kubernetes.md).
FROM debian:bookworm-slim

RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        openjdk-17-jre-headless openssh-client openssh-server procps tini \
    && rm -rf /var/lib/apt/lists/* /etc/ssh/ssh_host_* \
    && useradd --uid 1000 --create-home mpi

ARG VERSION=0.2.0-SNAPSHOT
ADD ulfm-dist/target/ulfm-${VERSION}.tar.gz /opt/
RUN ln -s ulfm-${VERSION} /opt/ulfm \
    && ln -s /opt/ulfm/examples/kubernetes/ssh_config /etc/ssh/ssh_config.d/ulfm.conf

ENV PATH=/opt/ulfm/bin:$PATH
USER mpi
WORKDIR /home/mpi
# Process 1 reaps what has lost its parent, and passes signals on.
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["mpiexec", "--help"]
