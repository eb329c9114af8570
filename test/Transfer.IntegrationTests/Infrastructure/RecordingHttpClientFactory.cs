using System.Collections.Concurrent;
using Amazon.Runtime;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>Records the headers of every request, and lets a test answer some requests itself.</summary>
internal sealed class RecordingHttpClientFactory : HttpClientFactory
{
    public ConcurrentQueue<HttpRequestMessage> Requests { get; } = [];

    /// <summary>Gets or sets a function that answers instead of the store; it returns null to pass the request on to the store.</summary>
    public Func<HttpRequestMessage, HttpResponseMessage?>? Answer { get; set; }

    public override HttpClient CreateHttpClient(IClientConfig clientConfig)
        => new(new Recorder(this) { InnerHandler = new SocketsHttpHandler { AllowAutoRedirect = false } });

    public override bool UseSDKHttpClientCaching(IClientConfig clientConfig) => false;

    public override bool DisposeHttpClientsAfterUse(IClientConfig clientConfig) => false;

    public static string? Header(HttpRequestMessage request, string name)
        => request.Headers.NonValidated.TryGetValues(name, out var values) ? values.ToString() : null;

    private sealed class Recorder(RecordingHttpClientFactory owner) : DelegatingHandler
    {
        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            owner.Requests.Enqueue(request);
            return owner.Answer?.Invoke(request) ?? await base.SendAsync(request, cancellationToken);
        }
    }
}
