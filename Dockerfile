# The tool as one native file, in an image without a shell: docker run --rm IMAGE ls s3://bucket/
FROM mcr.microsoft.com/dotnet/sdk:10.0-noble-aot AS build
ARG VERSION=
WORKDIR /source
COPY Directory.Build.props Directory.Build.targets Directory.Packages.props .editorconfig ./
COPY src src
RUN dotnet publish src/Transfer.Cli -c Release -o /tool ${VERSION:+-p:Version=$VERSION}

# With the same C library as the SDK, and with CA certificates.
FROM mcr.microsoft.com/dotnet/runtime-deps:10.0-noble-chiseled
COPY --from=build /source/src/Transfer.Cli/THIRD-PARTY-NOTICES.txt /usr/share/doc/transfer/
COPY --from=build /tool/transfer /usr/local/bin/transfer
# Names the mounted directory of files to transfer.
WORKDIR /data
USER $APP_UID
ENTRYPOINT ["/usr/local/bin/transfer"]
