namespace Transfer.S3.Wire.Http;

/// <summary>The state of a request body that is being sent. The code that sends it and its connection share it through the execution context.</summary>
internal sealed class BodySending
{
    private static readonly AsyncLocal<BodySending?> Ambient = new();
    private volatile IOException? _failure;

    /// <summary>Gets or sets the body that the current request sends; null if it has none.</summary>
    public static BodySending? Current
    {
        get => Ambient.Value;
        set => Ambient.Value = value;
    }

    /// <summary>Gets or sets the error of the connection that ended the body early; null if there is none.</summary>
    public IOException? Failure
    {
        get => _failure;
        set => _failure = value;
    }
}
