using System.Net.Security;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Transfer.S3.Wire;

/// <summary>The settings for sending a client's requests.</summary>
internal sealed record WireSettings(TransferWire Wire, PayloadSigning PayloadSigning, bool ExpectContinue, TimeProvider Time)
{
    /// <summary>Gets the logger.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>Gets a value that indicates whether a mock or a decorator lists objects with ListObjects instead of ListObjectsV2.</summary>
    public bool ListObjectsV1 { get; init; }

    /// <summary>Gets the ID of the account that must own the buckets; null for any.</summary>
    public string? ExpectedBucketOwner { get; init; }

    /// <summary>Gets what takes the time of the first response.</summary>
    public FirstResponseTime FirstResponse { get; init; } = new();

    /// <summary>Gets what takes the link of the client.</summary>
    public LinkReference Link { get; init; } = new();

    /// <summary>Gets the callback that changes how connections use TLS; null if there is none.</summary>
    public Action<SslClientAuthenticationOptions>? ConfigureTls { get; init; }

    /// <summary>Gets the callback that wraps the handler of the library's own connections; null if there is none.</summary>
    public Func<HttpMessageHandler, HttpMessageHandler>? WrapHandler { get; init; }

    public static WireSettings Default { get; } = new(TransferWire.Auto, PayloadSigning.Auto, ExpectContinue: false, TimeProvider.System);
}
