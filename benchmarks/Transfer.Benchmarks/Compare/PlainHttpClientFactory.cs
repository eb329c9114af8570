using Amazon.Runtime;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>A factory as an application writes it: for a handler of its own, with the defaults of .NET.</summary>
internal sealed class PlainHttpClientFactory : HttpClientFactory
{
    public override HttpClient CreateHttpClient(IClientConfig clientConfig) => new(new SocketsHttpHandler { AllowAutoRedirect = false }) { Timeout = Timeout.InfiniteTimeSpan };
}
