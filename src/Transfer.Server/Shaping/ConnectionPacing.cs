namespace Transfer.S3.Server.Shaping;

/// <summary>The rate limits of a connection, stored as a connection feature.</summary>
internal sealed record ConnectionPacing(PacedDirection Sending, PacedDirection Receiving);
