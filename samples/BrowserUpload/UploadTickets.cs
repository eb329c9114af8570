using System.Security.Cryptography;
using System.Text.Json;
using Microsoft.AspNetCore.DataProtection;
using Transfer.S3;

namespace BrowserUpload;

/// <summary>
/// Turns uploads into tickets that a browser keeps for the server. They are encrypted and signed, so that a browser can't change which object is published, and the server
/// needs no database.
/// </summary>
internal sealed class UploadTickets(IDataProtectionProvider protection)
{
    private static readonly TimeSpan Lifetime = TimeSpan.FromDays(1);

    private readonly ITimeLimitedDataProtector _protector = protection.CreateProtector("BrowserUpload.Tickets").ToTimeLimitedDataProtector();

    public string Protect(PresignedUpload upload) => _protector.Protect(JsonSerializer.Serialize(upload with { Parts = [] }), Lifetime);

    public PresignedUpload Read(string ticket)
    {
        try
        {
            return JsonSerializer.Deserialize<PresignedUpload>(_protector.Unprotect(ticket))!;
        }
        catch (CryptographicException e)
        {
            throw new BadHttpRequestException("The ticket isn't valid, or it has expired.", e);
        }
    }
}
