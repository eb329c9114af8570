using System.Runtime.InteropServices;

namespace Transfer.S3.Wire.Http;

/// <summary>The state of a request body that is being sent. The code that sends it and its connection share it through the execution context.</summary>
internal sealed class BodySending
{
    private static readonly AsyncLocal<BodySending?> Ambient = new();
    private volatile IOException? _failure;
    private ArraySegment<byte> _piece;

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

    /// <summary>Sets the piece that is written next.</summary>
    /// <param name="piece">The piece.</param>
    /// <param name="canWait">Whether the piece stays valid while the next one is written, so that a connection can send both at once.</param>
    public void Offer(ReadOnlyMemory<byte> piece, bool canWait) => _piece = canWait && MemoryMarshal.TryGetArray(piece, out ArraySegment<byte> array) ? array : default;

    /// <summary>Returns whether bytes that are written can be sent together with the next ones. Other bytes than those of the piece are in a buffer of the HTTP client.</summary>
    public bool CanWait(ArraySegment<byte> bytes)
        => bytes.Array == _piece.Array && _piece.Array is not null && bytes.Offset >= _piece.Offset && bytes.Offset + bytes.Count <= _piece.Offset + _piece.Count;
}
