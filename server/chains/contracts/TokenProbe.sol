// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Tries a transfer of a token and tells what it moved. It is never put on a chain: a node runs the constructor as a call, with a
/// balance of the token that only this call sees, and gives back what the constructor returns.
contract TokenProbe {
    constructor(address token, address to, uint256 value) {
        uint256 own = balanceOf(token, address(this));
        uint256 theirs = balanceOf(token, to);
        (bool ok, bytes memory answer) = token.call(abi.encodeWithSelector(0xa9059cbb, to, value));
        uint256 first = answer.length < 32 ? 0 : uint256(bytes32(answer));
        bytes memory told = abi.encode(
            ok, answer.length, first, own, balanceOf(token, address(this)), theirs, balanceOf(token, to)
        );
        assembly {
            return(add(told, 32), mload(told))
        }
    }

    function balanceOf(address token, address owner) private view returns (uint256) {
        (bool ok, bytes memory answer) = token.staticcall(abi.encodeWithSelector(0x70a08231, owner));
        return ok && answer.length == 32 ? abi.decode(answer, (uint256)) : 0;
    }
}
