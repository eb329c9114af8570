namespace Transfer.S3.Integrity;

/// <summary>All that differs between one algorithm and the others: a row of <see cref="ChecksumTable"/>.</summary>
/// <param name="Algorithm">The algorithm.</param>
/// <param name="Name">The name in messages and in the command-line tool.</param>
/// <param name="HeaderName">The name of the header that contains the value, in lower case.</param>
/// <param name="Bytes">The length of the value, before base64 encoding.</param>
internal sealed record ChecksumEntry(ChecksumAlgorithm Algorithm, string Name, string HeaderName, int Bytes)
{
    /// <summary>Gets the name in requests and responses of multipart uploads, such as <c>CRC32C</c>; null for an algorithm that no store keeps.</summary>
    public string? S3Name { get; private init; }

    /// <summary>Gets the name of the XML element that contains the value; null for an algorithm that no store keeps.</summary>
    public string? ElementName { get; private init; }

    /// <summary>Gets the CRC; none for a hash. Only a CRC of a whole object can be combined from those of its parts.</summary>
    public CrcSet.Kinds Crc { get; init; }

    /// <summary>Gets what begins a hash; null for a CRC.</summary>
    public Func<ContentHash>? BeginHash { get; init; }

    /// <summary>Gets the value of <c>x-amz-checksum-type</c> for multipart uploads.</summary>
    /// <remarks>
    /// S3 makes the value of a multipart object of the values of the parts (COMPOSITE). A CRC can also be that of the whole object (FULL_OBJECT), which doesn't depend on
    /// the sizes of the parts (Amazon S3 User Guide, "Checking object integrity for data uploads").
    /// </remarks>
    public string MultipartType => Crc == CrcSet.Kinds.None ? "COMPOSITE" : "FULL_OBJECT";

    /// <summary>Creates the row of an algorithm of which a store can hold a value (Amazon S3 API Reference, "Checksum").</summary>
    public static ChecksumEntry Stored(ChecksumAlgorithm algorithm, string s3Name, int bytes)
    {
        string name = s3Name.ToLowerInvariant();
        return new ChecksumEntry(algorithm, name, "x-amz-checksum-" + name, bytes) { S3Name = s3Name, ElementName = "Checksum" + s3Name };
    }
}
