using Amazon.Runtime;

namespace Transfer.Cli.Connections;

/// <summary>HTTP clients over handlers that somebody else makes; each client owns its handler.</summary>
internal sealed class HandlerHttpClientFactory(Func<HttpMessageHandler> create) : HttpClientFactory
{
    public override HttpClient CreateHttpClient(IClientConfig clientConfig) => new(create());

    // One for each configuration: a handler tells one engine of its requests.
    public override bool UseSDKHttpClientCaching(IClientConfig clientConfig) => true;

    public override string GetConfigUniqueString(IClientConfig clientConfig) => $"{GetHashCode()}";
}
