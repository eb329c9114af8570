using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Transfer.Wire;

/// <summary>How a client's requests are sent.</summary>
internal sealed record WireSettings(TransferWire Wire, PayloadSigning PayloadSigning, bool ExpectContinue, TimeProvider Time, Action<RequestTiming>? Observer = null)
{
    /// <summary>Where log messages go.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    public static WireSettings Default { get; } = new(TransferWire.Auto, PayloadSigning.Auto, ExpectContinue: false, TimeProvider.System);
}
