using System.Buffers;

namespace Transfer.Wire;

/// <summary>The bytes that a request carries.</summary>
/// <param name="Bytes">They stay where they are until the request has ended, and can be sent again.</param>
/// <param name="Checksum">Theirs, by the target's algorithm; null where none is sent.</param>
/// <param name="Moved">Called whenever the connection has taken some of them.</param>
internal readonly record struct RequestBody(ReadOnlySequence<byte> Bytes, string? Checksum, Action? Moved = null);
