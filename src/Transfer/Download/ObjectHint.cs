namespace Transfer;

/// <summary>What the caller knows about an object already, from a listing for example: nothing has to be asked before its parts start.</summary>
/// <param name="Length">The object's size in bytes, 0 or more. A size that proves wrong is an <see cref="ObjectChangedException"/>.</param>
/// <param name="ETag">Its entity tag, with or without quotes; every part is then asked for with If-Match.</param>
public sealed record ObjectHint(long Length, string? ETag = null);
