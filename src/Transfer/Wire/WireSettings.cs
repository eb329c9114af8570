namespace Transfer.Wire;

/// <summary>How a client's requests are sent.</summary>
internal sealed record WireSettings(TransferWire Wire, PayloadSigning PayloadSigning, bool ExpectContinue, TimeProvider Time, Action<RequestTiming>? Observer = null)
{
    public static WireSettings Default { get; } = new(TransferWire.Auto, PayloadSigning.Auto, ExpectContinue: false, TimeProvider.System);
}
