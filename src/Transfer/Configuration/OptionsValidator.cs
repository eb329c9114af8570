using Microsoft.Extensions.Options;
using Transfer.S3.Requests;

namespace Transfer.S3.Configuration;

/// <summary>Validates options with the code of the client, so that the rules and messages are the same.</summary>
internal sealed class OptionsValidator : IValidateOptions<TransferClientOptions>
{
    public ValidateOptionsResult Validate(string? name, TransferClientOptions options)
    {
        try
        {
            ClientSettings.From(options);
            return ValidateOptionsResult.Success;
        }
        catch (ArgumentException e)
        {
            // .NET appends the name and the value of the parameter, which the message already contains.
            int end = e.Message.IndexOf(" (Parameter '", StringComparison.Ordinal);
            return ValidateOptionsResult.Fail($"{nameof(TransferClientOptions)}{(string.IsNullOrEmpty(name) ? string.Empty : $" '{name}'")}: {(end < 0 ? e.Message : e.Message[..end])}");
        }
    }
}
