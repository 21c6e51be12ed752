// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import "./Forwarder.sol";

/// Puts a forwarder at each deposit address when it is flushed for the first time. The address of a place is known before: it follows
/// from this factory, the chain's number, the place and the forwarder's code.
contract ForwarderFactory {
    Forwarder public immutable forwarder;

    event Flushed(bytes32 indexed place, address indexed token, uint256 moved);

    constructor(address sink) {
        forwarder = new Forwarder(sink);
    }

    function addressOf(bytes32 place) public view returns (address payable) {
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), address(this), saltOf(place), keccak256(code())));
        return payable(address(uint160(uint256(hash))));
    }

    /// Flushes a token from many places. One that fails (a frozen address, a token that refuses) moves nothing and stops no other.
    function flush(bytes32[] calldata places, address token) external {
        for (uint256 i = 0; i < places.length; i++) {
            uint256 moved = 0;
            try placed(places[i]).flush(token) returns (uint256 sum) {
                moved = sum;
            } catch {}
            emit Flushed(places[i], token, moved);
        }
    }

    /// Flushes the network's own coin from many places.
    function flushCoin(bytes32[] calldata places) external {
        for (uint256 i = 0; i < places.length; i++) {
            uint256 moved = 0;
            try placed(places[i]).flushCoin() returns (uint256 sum) {
                moved = sum;
            } catch {}
            emit Flushed(places[i], address(0), moved);
        }
    }

    /// The forwarder of a place, put there now if it is missing.
    function placed(bytes32 place) private returns (Forwarder) {
        address payable found = addressOf(place);
        if (found.code.length > 0) return Forwarder(found);
        bytes memory made = code();
        bytes32 salt = saltOf(place);
        address payable clone;
        assembly {
            clone := create2(0, add(made, 0x20), mload(made), salt)
        }
        require(clone == found, "not where it belongs");
        return Forwarder(clone);
    }

    /// Binds a place to this chain and this factory, so that a copy of the factory elsewhere gives other addresses.
    function saltOf(bytes32 place) private view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), place));
    }

    /// A clone as EIP-1167 describes it.
    function code() private view returns (bytes memory) {
        return abi.encodePacked(hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", address(forwarder), hex"5af43d82803e903d91602b57fd5bf3");
    }
}
