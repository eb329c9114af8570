namespace Transfer.Server.Shaping;

/// <summary>The rates that one connection is held to; a feature of that connection.</summary>
internal sealed record ConnectionPacing(PacedDirection Sending, PacedDirection Receiving);
