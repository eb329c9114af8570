using Transfer.S3.Buffers;

namespace Transfer.S3.Wire;

/// <summary>The body of a request.</summary>
/// <param name="Bytes">The bytes. They can be read until the request has ended, and can be sent again.</param>
/// <param name="Checksum">The checksum of the bytes, with the algorithm of the target; null if none is sent.</param>
/// <param name="Sha256">The SHA-256 of the bytes in lowercase hexadecimal digits, for the signature; null if it must be computed where it is needed.</param>
/// <param name="Moved">Called when the connection has accepted some of the bytes.</param>
/// <param name="Pace">Waits until some of the remaining bytes can be sent, and returns their number; null if all can be sent at once.</param>
internal readonly record struct RequestBody(
    IBodyBytes Bytes, string? Checksum, string? Sha256 = null, Action? Moved = null, Func<int, CancellationToken, ValueTask<int>>? Pace = null);
