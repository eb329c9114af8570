using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Transfer.Wire;

/// <summary>How a client's requests are sent.</summary>
internal sealed record WireSettings(TransferWire Wire, PayloadSigning PayloadSigning, bool ExpectContinue, TimeProvider Time)
{
    /// <summary>Where log messages go.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>Whether a mock or a decorator is asked for listings with ListObjects and not with ListObjectsV2.</summary>
    public bool ListObjectsV1 { get; init; }

    public static WireSettings Default { get; } = new(TransferWire.Auto, PayloadSigning.Auto, ExpectContinue: false, TimeProvider.System);
}
