namespace Transfer.S3.Wire;

/// <summary>
/// The watch of the current request. The layer that limits its time and the one that reads its response share it through the execution context, as they do with
/// <see cref="RequestTrace"/>.
/// </summary>
internal static class ResponseWatch
{
    private static readonly AsyncLocal<IResponseWatch?> Ambient = new();

    /// <summary>Gets or sets the watch, for the asynchronous method that sets it; null for none.</summary>
    public static IResponseWatch? Current
    {
        get => Ambient.Value;
        set => Ambient.Value = value;
    }
}
