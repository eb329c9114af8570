using Transfer.Buffers;

namespace Transfer.Wire;

/// <summary>The bytes that a request carries.</summary>
/// <param name="Bytes">The bytes. They can be read until the request has ended, and can be sent again.</param>
/// <param name="Checksum">Theirs, by the target's algorithm; null where none is sent.</param>
/// <param name="Moved">Called whenever the connection has taken some of them.</param>
/// <param name="Pace">Waits until some of the bytes that are left can be sent, and returns how many; null if all can be sent at once.</param>
internal readonly record struct RequestBody(IBodyBytes Bytes, string? Checksum, Action? Moved = null, Func<int, CancellationToken, ValueTask<int>>? Pace = null);
