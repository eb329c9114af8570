namespace Transfer.S3.Jobs;

/// <summary>The encryption of the objects of a job, by keys that the store has.</summary>
internal sealed record PlannedEncryption(string Algorithm, string? KeyId = null, string? Context = null, bool? UsesBucketKey = null)
{
    public static PlannedEncryption From(ObjectEncryption encryption) => new(encryption.Algorithm, encryption.KeyId, encryption.Context, encryption.UsesBucketKey);

    public ObjectEncryption ToEncryption() => Algorithm switch
    {
        "AES256" => ObjectEncryption.Aes256,
        "aws:kms" => ObjectEncryption.Kms(KeyId, Context, UsesBucketKey),
        "aws:kms:dsse" => ObjectEncryption.KmsDualLayer(KeyId, Context),
        _ => throw new TransferException($"The plan has the unknown encryption '{Algorithm}'."),
    };
}
