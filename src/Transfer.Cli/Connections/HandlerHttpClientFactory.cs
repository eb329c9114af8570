using Amazon.Runtime;

namespace Transfer.S3.Cli.Connections;

/// <summary>Creates HTTP clients with the caller's handlers. Each client owns its handler.</summary>
internal sealed class HandlerHttpClientFactory(Func<HttpMessageHandler> create) : HttpClientFactory
{
    public override HttpClient CreateHttpClient(IClientConfig clientConfig) => new(create());

    // One client for each configuration, because a handler reports its requests to one engine.
    public override bool UseSDKHttpClientCaching(IClientConfig clientConfig) => true;

    public override string GetConfigUniqueString(IClientConfig clientConfig) => $"{GetHashCode()}";
}
