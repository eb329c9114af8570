namespace Transfer.S3.Wire;

/// <summary>
/// A response body that is received whole, as fast as it arrives. The code that receives it and its connection share it through the execution context, so that the
/// connection knows how much is worth a wake-up.
/// </summary>
internal sealed class BodyReceiving
{
    /// <summary>The number of bytes from which on a body is worth it. A smaller one mostly arrives at once.</summary>
    public const int LeastBytes = 128 << 10;

    private static readonly AsyncLocal<BodyReceiving?> Ambient = new();

    /// <summary>Gets or sets the body, for the asynchronous method that sets it; null if what is read next is wanted as soon as a byte of it is there.</summary>
    public static BodyReceiving? Current
    {
        get => Ambient.Value;
        set => Ambient.Value = value;
    }

    /// <summary>Gets or sets the number of bytes that certainly follow; 0 if the next bytes are wanted at once. It is set before each read.</summary>
    public long LeftBytes { get; set; }
}
